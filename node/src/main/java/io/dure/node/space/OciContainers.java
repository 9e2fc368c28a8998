package io.dure.node.space;

import io.dure.model.UserIdentity;
import io.dure.model.config.step.OciSettings;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The containers of steps ({@code --container}), which the program {@code container} runs in place
 * of each task. Any thread may use it; calls block.
 */
public final class OciContainers {
  /** How long the removal of what a container left may take: the end of its step waits for it. */
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final String RANKS = "ranks";

  private final Path program;
  private final Path remover;

  /**
   * Uses that program.
   *
   * @param program {@code container}, beside which is {@code job-space}
   */
  public OciContainers(Path program) {
    this.program = program;
    this.remover = program.resolveSibling("job-space");
  }

  /**
   * Whose container it is.
   *
   * @param spool of the node
   * @param step its name
   */
  public record Place(Path spool, String node, long jobId, String step, UserIdentity owner) {
    private String name() {
      return "oci-job" + jobId + "-" + step;
    }
  }

  /**
   * What the program is called with; the folder that containers of the step have in the spool is
   * made.
   *
   * @param bundle the OCI bundle, absolute
   * @param isBatch whether it runs a script, which it has to bring along
   * @param ranks of its tasks here
   * @throws IOException if the folder cannot be made
   */
  public static List<String> entries(
      OciSettings settings, Place place, String bundle, boolean isBatch, List<Integer> ranks)
      throws IOException {
    List<String> entries = new ArrayList<>();
    String path = settings.path();
    if (path.isEmpty()) {
      Path folder = place.spool().resolve(place.name());
      make(folder, place.owner());
      path = folder.toString().replace("%", "%%") + "/task-%t";
    }
    add(entries, "bundle", bundle);
    add(entries, "path", path);
    add(entries, RANKS, String.join(",", ranks.stream().map(String::valueOf).toList()));
    add(entries, "job", Long.toString(place.jobId()));
    add(entries, "step", place.step());
    add(entries, "node", place.node());
    add(entries, "user", place.owner().userName());
    add(entries, "uid", Integer.toUnsignedString(place.owner().uid()));
    add(entries, "inside", settings.inside());
    add(entries, "create", settings.create());
    add(entries, "start", settings.start());
    add(entries, "run", settings.run());
    add(entries, "kill", settings.kill());
    add(entries, "delete", settings.delete());
    add(entries, "query", settings.query());
    add(entries, "env_file", settings.environmentFile());
    add(entries, "env_exclude", settings.excluded());
    add(entries, "runtime_env_exclude", settings.excludedFromRuntime());
    add(entries, "script", isBatch ? "1" : "");
    add(entries, "keep", settings.keeps() ? "1" : "");
    add(entries, "ignore_config", settings.ignoresDescription() ? "1" : "");
    return entries;
  }

  private static void add(List<String> entries, String key, String value) {
    if (!value.isEmpty()) {
      entries.add(key + "=" + value);
    }
  }

  /** The user's, and nobody else's. */
  private static void make(Path folder, UserIdentity owner) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    if (!Files.getAttribute(folder, "unix:uid").equals(owner.uid())) {
      Files.setAttribute(folder, "unix:gid", owner.gid());
      Files.setAttribute(folder, "unix:uid", owner.uid());
    }
  }

  /**
   * Removes what tasks that were killed have left: at the runtime, as their user and in the control
   * groups of the step, and in the spool.
   *
   * @param entries what the program was called with
   * @param cgroups the step's, as far as they are there still
   * @param groups the user's
   * @param home the user's directory
   * @throws IOException if something stays
   */
  public void clean(
      Place place, List<String> entries, List<Path> cgroups, List<Integer> groups, String home)
      throws IOException {
    if (entries.contains("keep=1")) {
      return;
    }
    Path folder = place.spool().resolve(place.name());
    boolean ownPath = !Files.exists(folder);
    for (String rank : ranks(entries)) {
      if (ownPath || Files.exists(folder.resolve("task-" + rank))) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "clean"));
        command.add(Integer.toUnsignedString(place.owner().uid()));
        command.add(Integer.toUnsignedString(place.owner().gid()));
        command.add(String.join(",", groups.stream().map(Integer::toUnsignedString).toList()));
        cgroups.forEach(group -> command.add("cgroup=" + group));
        command.addAll(entries);
        command.add("rank=" + rank);
        run(command, home);
      }
    }
    if (!ownPath
        && run(List.of("" + remover, "remove", "" + place.spool(), place.name()), "/") != 0) {
      throw new IOException(folder + " cannot be removed");
    }
  }

  private static List<String> ranks(List<String> entries) {
    for (String entry : entries) {
      if (entry.startsWith(RANKS + "=")) {
        return List.of(entry.substring(RANKS.length() + 1).split(",", -1));
      }
    }
    return List.of();
  }

  private static int run(List<String> command, String home) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().put("HOME", home);
    builder
        .environment()
        .put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    try {
      Process process = builder.start();
      if (process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException(
          command.getFirst() + " did not end within " + LONGEST.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}

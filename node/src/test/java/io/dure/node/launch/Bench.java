package io.dure.node.launch;

import io.dure.host.process.ProcessStat;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A spool, a place for output and a user: what a step needs. The user is nobody where the tests run
 * as root, otherwise whoever runs them.
 */
final class Bench implements AutoCloseable {
  static final Path PROGRAM = Path.of("target/shepherd").toAbsolutePath();
  static final int NOBODY = 65534;

  final Shepherd shepherd = new Shepherd(PROGRAM);
  final Path spool;
  final Path work;
  final StepUser user;
  private long nextJob = 1;

  Bench() throws IOException {
    spool = Files.createTempDirectory("shepherd-test");
    work = Files.createDirectory(spool.resolve("work"));
    Files.setPosixFilePermissions(spool, PosixFilePermissions.fromString("rwxr-xr-x"));
    int uid = (Integer) Files.getAttribute(work, "unix:uid");
    if (uid == 0) {
      user = new StepUser("nobody", NOBODY, NOBODY, List.of(NOBODY, 12345));
      Files.setAttribute(work, "unix:uid", NOBODY);
      Files.setAttribute(work, "unix:gid", NOBODY);
    } else {
      user = new StepUser("me", uid, (Integer) Files.getAttribute(work, "unix:gid"), List.of());
    }
  }

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** A step that can be bent before it starts. */
  Draft step(String... scriptLines) {
    return new Draft(nextJob++, "#!/bin/bash\n" + String.join("\n", scriptLines) + "\n");
  }

  final class Draft {
    final long jobId;
    String script;
    Path spool = Bench.this.spool;
    String workingDirectory = work.toString();
    String stdin = "/dev/null";
    String stdout;
    @Nullable String stderr;
    OutputOpenMode openMode = OutputOpenMode.TRUNCATE;
    int umask = 022;
    StepUser runAs = user;
    List<StepRlimit> limits = List.of();
    List<Integer> cpus = List.of();
    List<Path> cgroups = List.of();
    List<String> arguments = List.of();
    @Nullable LoginShell login;
    int lockedMemory;
    final SequencedMap<String, String> environment = new LinkedHashMap<>();

    Draft(long jobId, String script) {
      this.jobId = jobId;
      this.script = script;
      stdout = work.resolve(jobId + ".out").toString();
      environment.put("PATH", "/usr/bin:/bin");
      environment.put("SLURM_JOB_ID", Long.toString(jobId));
      environment.put("SLURMD_NODENAME", "test" + ProcessHandle.current().pid());
    }

    StepDirectory create() throws IOException {
      var identity =
          new StepIdentity(
              jobId, "batch", environment.get("SLURMD_NODENAME"), runAs.uid(), cgroups, "run=1");
      var launch =
          new StepLaunch(
              identity,
              runAs,
              workingDirectory,
              umask,
              stdin,
              stdout,
              stderr,
              openMode,
              limits,
              cpus,
              0,
              0,
              arguments,
              StepLaunch.TaskScripts.NONE,
              environment,
              login,
              lockedMemory);
      return StepDirectory.create(spool, launch, script.getBytes(StandardCharsets.UTF_8));
    }

    RunningStep start() throws IOException {
      return shepherd.start(create());
    }

    StepExit run() throws Exception {
      return end(start());
    }

    String output() throws IOException {
      return Files.readString(Path.of(stdout));
    }

    void awaitOutput(String text) throws Exception {
      Await.seconds(20)
          .until(
              "output holds " + text,
              () -> Files.exists(Path.of(stdout)) && output().contains(text));
    }

    /** The processes that carry this job's number, wherever they are. */
    List<ProcessStat> alive() throws IOException {
      return StepProcesses.leftovers(
          new StepIdentity(
              jobId, "batch", environment.get("SLURMD_NODENAME"), runAs.uid(), List.of(), ""),
          null);
    }
  }

  static StepExit end(RunningStep step) throws Exception {
    return step.exit().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(spool)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}

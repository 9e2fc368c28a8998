package io.dure.node.space;

import io.dure.host.process.PidFile;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileModes;
import io.dure.host.user.CurrentProcess;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.config.step.JobContainer;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The mount namespaces of jobs on this node, each with directories of its own ({@code
 * job_container/tmpfs}), which the program {@code job-space} makes and removes. They outlive the
 * daemon. What the site says of them holds until the daemon ends. Any thread may use it; calls
 * block.
 */
public final class JobSpaces implements Closeable {
  private static final int OTHERS_WRITE = 022;

  /** Jobs have nothing of their own. */
  public static final JobSpaces NONE = new JobSpaces();

  private static final String NAMESPACE = ".ns";

  private static final int TURNS = 64;

  /** What comes late does not come later than so many other jobs. */
  private static final int REMEMBERED = 10_000;

  private final JobContainer.@Nullable OnNode container;
  private final Path program;
  private final Map<String, String> environment;
  private final @Nullable PidFile claim;

  /** The last run of each job whose directories were removed. */
  private final Map<Long, Integer> removed =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** Jobs whose directories are of no use and not removed yet. */
  private final Set<Long> left = ConcurrentHashMap.newKeySet();

  /** What a job has is made or removed by one thread at a time. */
  private final List<Object> turns = Stream.generate(Object::new).limit(TURNS).toList();

  private JobSpaces() {
    this.container = null;
    this.program = Path.of("/");
    this.environment = Map.of();
    this.claim = null;
  }

  private JobSpaces(
      JobContainer.OnNode container, Path program, Map<String, String> environment, PidFile claim) {
    this.container = container;
    this.program = program;
    this.environment = Map.copyOf(environment);
    this.claim = claim;
  }

  /**
   * Those of a node.
   *
   * @param container what holds for the node, null for nothing
   * @param program {@code job-space}
   * @param environment what {@code InitScript} gets besides the job
   * @throws IOException if they cannot be there
   */
  public static JobSpaces open(
      JobContainer.@Nullable OnNode container, Path program, Map<String, String> environment)
      throws IOException {
    if (container == null) {
      return NONE;
    }
    if (container.basePath().isEmpty()) {
      throw new IOException("job_container.conf has no BasePath for this node: write BasePath=DIR");
    }
    if (CurrentProcess.effectiveUid() != 0) {
      throw new IOException("job_container/tmpfs needs a slurmd that runs as root");
    }
    Path base = Path.of(container.basePath());
    if (container.makesBasePath()) {
      DirectoryCreator.ensure(base, 0755, null);
    }
    if (Files.isDirectory(base) && (FileModes.modeOf(base) & OTHERS_WRITE) != 0) {
      throw new IOException(
          "BasePath "
              + base
              + " of job_container.conf may be written by others: they could lead root elsewhere by"
              + " links; correct it by: chmod go-w "
              + base);
    }
    if (!Files.isDirectory(base)) {
      throw new IOException(
          "BasePath "
              + base
              + " of job_container.conf is no directory: make it, or write"
              + " AutoBasePath=true");
    }
    try {
      PidFile claim = PidFile.claim(base.resolve(".slurmd.pid"));
      return new JobSpaces(container, program, environment, claim);
    } catch (PidFile.AlreadyRunningException e) {
      throw new IOException(
          "BasePath "
              + base
              + " of job_container.conf is in use by another slurmd ("
              + e.pid()
              + "): where several run on one machine, it must hold %n",
          e);
    }
  }

  /**
   * Makes that of a job, unless it is there.
   *
   * @param number of the job's run that wants it
   * @return the file that keeps its namespace, null where jobs have none
   * @throws IOException if it cannot be made, or was removed at the end of that run
   */
  public @Nullable Path make(long jobId, int number, UserIdentity owner) throws IOException {
    if (container == null) {
      return null;
    }
    synchronized (turn(jobId)) {
      if (number <= removed.getOrDefault(jobId, 0)) {
        throw new IOException(ErrorCode.ALREADY_DONE.text());
      }
      removeLeft(jobId);
      return make(container, jobId, owner);
    }
  }

  private Object turn(long jobId) {
    return turns.get((int) (jobId % TURNS));
  }

  private Path make(JobContainer.OnNode container, long jobId, UserIdentity owner)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("make", container.basePath(), "" + jobId));
    words.add(Integer.toUnsignedString(owner.uid()));
    words.add(Integer.toUnsignedString(owner.gid()));
    words.add(container.shared() ? "1" : "0");
    words.add(container.initScript());
    words.addAll(container.directories());
    run(words, jobId, owner);
    return Path.of(container.basePath(), "" + jobId, NAMESPACE);
  }

  /**
   * Removes that of a job with all that is in it; nothing where there is none.
   *
   * @param number of the job's run that is over, which gets none any more; 0 if that is not known
   * @throws IOException if something stays
   */
  public void remove(long jobId, int number) throws IOException {
    if (container != null) {
      synchronized (turn(jobId)) {
        removed.merge(jobId, number, Math::max);
        run(List.of("remove", container.basePath(), "" + jobId), jobId, null);
      }
    }
  }

  /**
   * The jobs but these that have one, in order. A job among them that comes again begins with a new
   * one.
   *
   * @throws IOException if that cannot be read
   */
  public List<Long> left(Set<Long> known) throws IOException {
    TreeSet<Long> jobs = new TreeSet<>();
    if (container != null) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(container.basePath()))) {
        for (Path each : found) {
          String name = String.valueOf(each.getFileName());
          if (name.matches("[1-9][0-9]{0,17}") && Files.exists(each.resolve(NAMESPACE))) {
            jobs.add(Long.parseLong(name));
          }
        }
      }
    }
    jobs.removeAll(known);
    left.addAll(jobs);
    return List.copyOf(jobs);
  }

  /**
   * Removes what a job has left, unless that was done meanwhile.
   *
   * @throws IOException if something stays
   */
  public void removeLeft(long jobId) throws IOException {
    synchronized (turn(jobId)) {
      if (left.contains(jobId)) {
        remove(jobId, 0);
        left.remove(jobId);
      }
    }
  }

  /** The private directory that this path lies in, null if in none. */
  public @Nullable String covering(Path path) {
    return container == null
        ? null
        : container.directories().stream().filter(path::startsWith).findFirst().orElse(null);
  }

  private void run(List<String> words, long jobId, @Nullable UserIdentity owner)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put("SLURM_JOB_ID", "" + jobId);
    if (owner != null && container != null) {
      String uid = Integer.toUnsignedString(owner.uid());
      builder.environment().put("SLURM_JOB_UID", uid);
      builder.environment().put("SLURM_JOB_USER", owner.userName());
      Path source = Path.of(container.basePath(), "" + jobId, "." + uid);
      builder.environment().put("SLURM_JOB_MOUNT_SRC", source.toString());
    }
    Process process = builder.start();
    String said = new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
    try (var rest = process.getInputStream()) {
      rest.transferTo(OutputStream.nullOutputStream());
      if (process.waitFor() != 0) {
        String line = said.strip().replace('\n', ' ');
        throw new IOException("job_container: " + (line.isEmpty() ? words.getFirst() : line));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("job_container: interrupted");
    }
  }

  @Override
  public void close() throws IOException {
    left.clear();
    if (claim != null) {
      claim.close();
    }
  }
}

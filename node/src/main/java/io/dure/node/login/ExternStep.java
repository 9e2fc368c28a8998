package io.dure.node.login;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.node.launch.KillSystemCall;
import io.dure.node.usage.NamedStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The processes of a run that came from outside: those that logged its user in, and all that these
 * have started. They have no shepherd. A file in the run's directory names the first of them, so a
 * later daemon finds them again. Any thread may use it.
 */
public final class ExternStep implements NamedStep.Members {
  /** The step's name, in control groups and listings. */
  public static final String NAME = "extern";

  /** In the environment of a login's processes, beside SLURM_JOB_ID: the node's name. */
  static final String MARK = "DURE_LOGIN";

  private static final String JOINS = ".";
  private static final String LEFT_OUT = "x";
  private static final int SIGKILL = 9;
  private static final int SIGSTOP = 19;
  private static final ProcFs PROC = ProcFs.ofThisMachine();

  private final Path directory;
  private final Path record;
  private final int uid;
  private final List<String> marks;
  private final List<Login> logins = new ArrayList<>();
  private List<Path> cgroups = List.of();
  private boolean wasJoined;
  private boolean ending;
  private boolean killed;
  private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

  /** A process that joined, alive or not. */
  private record Login(int pid, long startTicks) {}

  /**
   * One without processes.
   *
   * @param runDirectory of the run in the spool
   * @param uid the job's owner
   */
  ExternStep(Path runDirectory, int jobId, String nodeName, int uid) {
    this.directory = runDirectory;
    this.record = runDirectory.resolve(NAME);
    this.uid = uid;
    this.marks = List.of("SLURM_JOB_ID=" + jobId, MARK + "=" + nodeName);
  }

  /** Reads what an earlier daemon wrote down; whether there was anything. */
  synchronized boolean restore(List<Path> groups) throws IOException {
    cgroups = List.copyOf(groups);
    try {
      for (String line : Files.readAllLines(record, StandardCharsets.US_ASCII)) {
        String[] words = line.split(" ", -1);
        // The last line may have been cut off with the daemon that wrote it.
        if (words.length == 3) {
          Login login = new Login(Integer.parseInt(words[0]), Long.parseLong(words[1]));
          if (words[2].equals(JOINS)) {
            logins.add(login);
          } else if (words[2].equals(LEFT_OUT)) {
            logins.remove(login);
          }
        }
      }
      wasJoined = true;
      return true;
    } catch (NoSuchFileException _) {
      return false;
    } catch (NumberFormatException e) {
      throw new IOException(record + " cannot be read", e);
    }
  }

  /**
   * Takes a process in, with all that it starts from now on.
   *
   * @param groups the step's control groups
   * @throws IOException if it is not among the step's processes now
   */
  synchronized void join(int pid, List<Path> groups) throws IOException {
    ProcessStat process = PROC.stat(pid);
    if (process == null || !process.isAlive()) {
      throw new IOException("process " + pid + " has ended");
    }
    if (ending) {
      throw new IOException("the job is ending");
    }
    Login login = new Login(pid, process.startTicks());
    note(login, JOINS);
    wasJoined = true;
    cgroups = List.copyOf(groups);
    try {
      for (Path group : groups) {
        Path members = group.resolve("cgroup.procs");
        Files.writeString(members, Integer.toString(pid), StandardOpenOption.WRITE);
      }
    } catch (IOException e) {
      note(login, LEFT_OUT);
      throw e;
    }
    logins.add(login);
  }

  private void note(Login login, String what) throws IOException {
    String line = login.pid() + " " + login.startTicks() + " " + what + "\n";
    Files.writeString(record, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The directory of its run in the spool. */
  Path runDirectory() {
    return directory;
  }

  /** Runs a task when those that were given before are over. */
  synchronized void next(Executor threads, Runnable task) {
    work = work.exceptionally(_ -> null).thenRunAsync(task, threads);
  }

  @Override
  public List<Integer> among(List<ProcessStat> all) throws IOException {
    return living().stream().map(ProcessStat::pid).toList();
  }

  /**
   * Members of the control groups, the processes that joined and their descendants. Without control
   * groups also those of the user that carry the marks of a login, wherever they went.
   */
  private synchronized List<ProcessStat> living() throws IOException {
    List<ProcessStat> all = PROC.processes();
    Set<Integer> members = new TreeSet<>();
    for (Path group : cgroups) {
      for (String line : lines(group.resolve("cgroup.procs"))) {
        members.add(Integer.valueOf(line));
      }
    }
    // What one has started that is gone now belongs to process 1, and is not found by it any more.
    logins.removeIf(login -> !PROC.isAlive(login.pid(), login.startTicks()));
    for (Login login : logins) {
      members.add(login.pid());
    }
    addDescendants(members, all);
    boolean marked = cgroups.isEmpty() && wasJoined;
    return all.stream()
        .filter(process -> process.isAlive() && process.pid() > 1)
        .filter(process -> members.contains(process.pid()) || marked && isMarked(process.pid()))
        .toList();
  }

  private static void addDescendants(Set<Integer> members, List<ProcessStat> all) {
    Map<Integer, List<Integer>> children = new TreeMap<>();
    for (ProcessStat process : all) {
      children.computeIfAbsent(process.parent(), _ -> new ArrayList<>()).add(process.pid());
    }
    Deque<Integer> open = new ArrayDeque<>(members);
    while (!open.isEmpty()) {
      for (int child : children.getOrDefault(open.remove(), List.of())) {
        if (members.add(child)) {
          open.add(child);
        }
      }
    }
  }

  private boolean isMarked(int pid) {
    try {
      Path process = Path.of("/proc", Integer.toString(pid));
      if (!Files.getAttribute(process, "unix:uid").equals(uid)) {
        return false;
      }
      String environment =
          Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
      return List.of(environment.split("\0", -1)).containsAll(marks);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.US_ASCII);
    } catch (IOException _) {
      // A group that is gone has no members.
      return List.of();
    }
  }

  /** Sends a signal to all of its processes; how many it reached. */
  int signal(int signal) throws IOException {
    int sent = 0;
    for (ProcessStat process : living()) {
      sent += KillSystemCall.send(process, signal) ? 1 : 0;
    }
    return sent;
  }

  /** Stops its processes; false if that changed their number, so that one may have forked. */
  boolean stop() throws IOException {
    int first = signal(SIGSTOP);
    return signal(SIGSTOP) == first;
  }

  /** No process may join any more. */
  synchronized boolean isFirstEnd() {
    boolean first = !ending;
    ending = true;
    return first;
  }

  /** Who did not end when asked is killed from now on. */
  public synchronized void kill() {
    killed = true;
  }

  /**
   * Kills what joined the run of a directory whose record cannot be read.
   *
   * @throws IOException if that cannot be found out
   */
  public static void killRecorded(Path runDirectory) throws IOException {
    ExternStep step = new ExternStep(runDirectory, 0, "", 0);
    if (step.restore(List.of())) {
      step.signal(SIGKILL);
    }
  }

  /** How many live; kills them where that is due. */
  int left() throws IOException {
    int left = living().size();
    if (left > 0 && isKilled()) {
      signal(SIGKILL);
    }
    return left;
  }

  private synchronized boolean isKilled() {
    return killed;
  }

  /** Where its logins are written down. */
  @Override
  public String toString() {
    return "logins in " + record;
  }
}

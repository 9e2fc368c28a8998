package io.dure.node.launch;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the processes of a step in /proc and in its control groups. */
final class StepProcesses {
  private static final Duration KILL_PAUSE = Duration.ofMillis(10);
  private static final Path PROC_PATH = Path.of("/proc");
  private static final ProcFs PROC = ProcFs.ofThisMachine();

  private StepProcesses() {}

  /**
   * The descendants of that process and all members of the groups, alive, without the process
   * itself, among these of the machine.
   */
  static List<ProcessStat> below(int root, List<Path> cgroups, List<ProcessStat> all) {
    Set<Integer> members = members(cgroups);
    members.addAll(ProcFs.descendants(root, all));
    members.remove(root);
    return all.stream().filter(p -> p.isAlive() && members.contains(p.pid())).toList();
  }

  /** The living children of that process, among these of the machine. */
  static List<ProcessStat> childrenOf(int parent, List<ProcessStat> all) {
    return all.stream().filter(p -> p.isAlive() && p.parent() == parent).toList();
  }

  /**
   * What a killed shepherd left: members of the step's groups; the script, its session and
   * descendants; and processes of the same user on this node whose environment names the job and
   * the numbered step, which reaches those that left session and tree. A user can hide a process
   * from the last by clearing its environment; only control groups are proof against that.
   */
  static List<ProcessStat> leftovers(StepIdentity step, @Nullable RecordedProcess child)
      throws IOException {
    List<ProcessStat> all = PROC.processes();
    Set<Integer> members = members(step.cgroups());
    if (child != null) {
      for (ProcessStat process : all) {
        // A later process can only be in this session if it is the script's: the leader's number
        // stays taken.
        if (process.session() == child.pid() && process.startTicks() >= child.startTicks()) {
          members.add(process.pid());
        }
        if (child.is(process)) {
          members.addAll(ProcFs.descendants(child.pid(), all));
        }
      }
    }
    long self = ProcessHandle.current().pid();
    return all.stream()
        .filter(p -> p.isAlive() && p.pid() != self && p.pid() > 1)
        .filter(p -> members.contains(p.pid()) || carriesJob(p.pid(), step))
        .toList();
  }

  /**
   * Kills the leftovers again and again until none is left or the time is over; how many are left.
   */
  static int killLeftovers(StepIdentity step, @Nullable RecordedProcess child, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      List<ProcessStat> found = leftovers(step, child);
      if (found.isEmpty() || System.nanoTime() > deadline) {
        return found.size();
      }
      found.forEach(process -> KillSystemCall.send(process, KillSystemCall.SIGKILL));
      Thread.sleep(KILL_PAUSE);
    }
  }

  private static String id(String step) {
    StepName name = StepName.parse(step);
    return name == null ? step : name.id();
  }

  private static boolean carriesJob(int pid, StepIdentity step) {
    if (realUid(pid) != Integer.toUnsignedLong(step.uid())) {
      return false;
    }
    try {
      List<String> environment = KeyValueFile.read(PROC_PATH.resolve(pid + "/environ"));
      // Other steps of the job, and its script, have shepherds of their own.
      boolean isWholeJob = step.step().equals(Step.BATCH.text());
      return environment.contains("SLURM_JOB_ID=" + step.jobId())
          && environment.contains("SLURMD_NODENAME=" + step.nodeName())
          && (isWholeJob || environment.contains("SLURM_STEP_ID=" + id(step.step())));
    } catch (IOException _) {
      // It has ended, or this daemon may not look at it.
      return false;
    }
  }

  /** The owner of the process by its real uid; -1 when it is gone. */
  static long realUid(int pid) {
    try {
      Path status = PROC_PATH.resolve(pid + "/status");
      for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith("Uid:")) {
          return Long.parseLong(line.substring("Uid:".length()).strip().split("\\s+", 2)[0]);
        }
      }
    } catch (IOException _) {
      return -1;
    }
    return -1;
  }

  private static Set<Integer> members(List<Path> cgroups) {
    Set<Integer> members = new TreeSet<>();
    for (Path cgroup : cgroups) {
      try {
        Path file = cgroup.resolve("cgroup.procs");
        for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
          members.add(Integer.valueOf(line));
        }
      } catch (IOException _) {
        // A group that is gone has no members.
      }
    }
    return members;
  }
}

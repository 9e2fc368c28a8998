package io.dure.node.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the processes of a step in /proc and in its control groups. */
final class StepProcesses {
  private static final Duration KILL_PAUSE = Duration.ofMillis(10);

  private StepProcesses() {}

  /**
   * The descendants of that process and all members of the groups, alive, without the process
   * itself.
   */
  static List<ProcessStat> below(long root, List<Path> cgroups) throws IOException {
    List<ProcessStat> all = ProcessStat.all();
    Set<Long> members = members(cgroups);
    addDescendants(members, all, root);
    members.remove(root);
    return all.stream().filter(p -> p.isAlive() && members.contains(p.pid())).toList();
  }

  /**
   * What a killed shepherd left: members of the step's groups; the script, its session and
   * descendants; and processes of the same user on this node whose environment names the job, which
   * reaches those that left session and tree. A user can hide a process from the last by clearing
   * its environment; only control groups are proof against that.
   */
  static List<ProcessStat> leftovers(StepIdentity step, @Nullable ProcessStat child)
      throws IOException {
    List<ProcessStat> all = ProcessStat.all();
    Set<Long> members = members(step.cgroups());
    if (child != null) {
      for (ProcessStat process : all) {
        // A later process can only be in this session if it is the script's: the leader's number
        // stays taken.
        if (process.session() == child.pid() && process.startTicks() >= child.startTicks()) {
          members.add(process.pid());
        }
        if (process.isSameAs(child)) {
          addDescendants(members, all, child.pid());
        }
      }
    }
    long self = ProcessHandle.current().pid();
    return all.stream()
        .filter(p -> p.isAlive() && p.pid() != self && p.pid() > 1)
        .filter(p -> members.contains(p.pid()) || carriesJob(p, step))
        .toList();
  }

  /**
   * Kills the leftovers again and again until none is left or the time is over; how many are left.
   */
  static int killLeftovers(StepIdentity step, @Nullable ProcessStat child, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      List<ProcessStat> found = leftovers(step, child);
      if (found.isEmpty() || System.nanoTime() > deadline) {
        return found.size();
      }
      found.forEach(process -> Signals.send(process, Signals.SIGKILL));
      Thread.sleep(KILL_PAUSE);
    }
  }

  private static boolean carriesJob(ProcessStat process, StepIdentity step) {
    if (ProcessStat.realUid(process.pid()) != Integer.toUnsignedLong(step.uid())) {
      return false;
    }
    List<String> environment = ProcessStat.environment(process.pid());
    return environment.contains("SLURM_JOB_ID=" + step.jobId())
        && environment.contains("SLURMD_NODENAME=" + step.nodeName());
  }

  private static Set<Long> members(List<Path> cgroups) {
    Set<Long> members = new HashSet<>();
    for (Path cgroup : cgroups) {
      try {
        Path file = cgroup.resolve("cgroup.procs");
        for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
          members.add(Long.parseLong(line));
        }
      } catch (IOException _) {
        // A group that is gone has no members.
      }
    }
    return members;
  }

  private static void addDescendants(Set<Long> members, List<ProcessStat> all, long root) {
    Map<Long, List<Long>> children = new HashMap<>();
    for (ProcessStat process : all) {
      children.computeIfAbsent(process.parent(), _ -> new ArrayList<>()).add(process.pid());
    }
    List<Long> open = new ArrayList<>(List.of(root));
    while (!open.isEmpty()) {
      Long next = open.removeLast();
      members.add(next);
      open.addAll(children.getOrDefault(next, List.of()));
      children.remove(next);
    }
  }
}

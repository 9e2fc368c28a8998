package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Version 1: a tree for each controller. Of those mounted, cpuset, memory, pids, freezer and
 * cpuacct are used, and devices for steps that are kept from some; where the machine also mounts
 * version 2 beside them, the step joins that as well, because only there a group can be killed at
 * one stroke.
 */
final class CgroupsV1 implements Cgroups {
  /** Not there where the kernel does not account swap. */
  private static final String WITH_SWAP = "memory.memsw.limit_in_bytes";

  private static final List<String> USED =
      List.of("cpuset", "memory", "pids", "freezer", "cpuacct");

  private final SequencedMap<String, CgroupHierarchy> trees = new LinkedHashMap<>();
  private final @Nullable CgroupHierarchy unified;
  private final DeviceGuard devices;
  private final List<String> missing = new ArrayList<>();
  private final MigrationWarmup warmup = new MigrationWarmup(Path.of("/proc/self/cgroup"));

  /**
   * Makes the node's groups in each tree; a tree that refuses is left out.
   *
   * @param mounts controller to mount point
   * @param unifiedMount version 2 beside them, or null
   */
  CgroupsV1(Map<String, Path> mounts, @Nullable Path unifiedMount, String nodeName) {
    for (String controller : USED) {
      Path mount = mounts.get(controller);
      if (mount != null) {
        CgroupHierarchy tree = new CgroupHierarchy(mount, nodeName);
        String refusal = prepared(tree, controller);
        if (refusal == null) {
          trees.put(controller, tree);
        } else if (isConfining(controller)) {
          missing.add(controller + ": " + refusal);
        }
      } else if (isConfining(controller)) {
        missing.add(controller + ": not mounted");
      }
    }
    CgroupHierarchy beside =
        unifiedMount == null ? null : new CgroupHierarchy(unifiedMount, nodeName);
    Path cpuset = mounts.get("cpuset");
    if (cpuset != null) {
      warmup.through(cpuset, "cpuset");
    }
    unified = beside != null && prepared(beside, "unified") == null ? beside : null;
    Path lines = mounts.get("devices");
    devices = new DeviceGuard(lines == null ? null : new CgroupHierarchy(lines, nodeName), unified);
  }

  /** Says so where swap is to be limited, and cannot be. */
  void limitsSwap() {
    CgroupHierarchy memory = trees.get("memory");
    if (memory != null && Files.notExists(memory.node().resolve(WITH_SWAP))) {
      missing.add("swap: the kernel does not account it (swapaccount=1)");
    }
  }

  boolean confines() {
    return trees.containsKey("cpuset") || trees.containsKey("memory");
  }

  private static boolean isConfining(String controller) {
    return List.of("cpuset", "memory", "pids").contains(controller);
  }

  /** Null when the node's groups stand, else why not. */
  private static @Nullable String prepared(CgroupHierarchy tree, String controller) {
    try {
      for (Path group : List.of(tree.top(), tree.node())) {
        makeLevel(group, controller);
      }
      return null;
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void makeLevel(Path group, String controller) throws IOException {
    CgroupHierarchy.make(group);
    Path parent = group.getParent();
    if (controller.equals("cpuset") && parent != null) {
      // A new cpuset has neither CPUs nor memory nodes, and takes no members before it has both.
      for (String file : List.of("cpuset.mems", "cpuset.cpus")) {
        if (CgroupHierarchy.read(group, file).isEmpty()) {
          CgroupHierarchy.write(group, file, CgroupHierarchy.read(parent, file));
        }
      }
    }
  }

  @Override
  public Version version() {
    return Version.V1;
  }

  @Override
  public String shortcomings() {
    return missing.isEmpty() ? "" : "cgroup v1: not confined: " + String.join("; ", missing);
  }

  @Override
  public String deviceShortcomings() {
    return devices.shortcomings();
  }

  @Override
  public StepCgroup create(
      long jobId, String step, StepConfinement ofJob, StepConfinement confinement)
      throws IOException {
    try {
      for (Map.Entry<String, CgroupHierarchy> tree : trees.entrySet()) {
        createIn(tree.getKey(), tree.getValue(), jobId, step, ofJob, confinement);
      }
      if (unified != null) {
        for (Path group : unified.pathTo(jobId, step)) {
          CgroupHierarchy.make(group);
        }
      }
      devices.refuse(jobId, step, confinement.refused());
    } catch (IOException e) {
      existing(jobId, step).remove();
      throw e;
    }
    return existing(jobId, step);
  }

  /** Level by level: a cpuset cannot become smaller than those below it. */
  private static void createIn(
      String controller,
      CgroupHierarchy tree,
      long jobId,
      String step,
      StepConfinement ofJob,
      StepConfinement confinement)
      throws IOException {
    makeLevel(tree.top(), controller);
    makeLevel(tree.node(), controller);
    boolean firstStep = Files.notExists(tree.job(jobId));
    makeLevel(tree.job(jobId), controller);
    if (firstStep) {
      confine(controller, tree.job(jobId), ofJob);
    }
    makeLevel(tree.step(jobId, step), controller);
    confine(controller, tree.step(jobId, step), confinement);
  }

  private static void confine(String controller, Path group, StepConfinement confinement)
      throws IOException {
    StepConfinement.Finer finer = confinement.finer();
    if (controller.equals("cpuset") && !confinement.cpus().isEmpty() && !finer.cpusOpen()) {
      CgroupHierarchy.write(group, "cpuset.cpus", StepConfinement.cpuList(confinement.cpus()));
    }
    Long memoryMib = confinement.memoryMib();
    if (controller.equals("memory")) {
      writeMib(group, "memory.limit_in_bytes", memoryMib);
      writeMib(group, "memory.soft_limit_in_bytes", finer.softMib());
      if (Files.exists(group.resolve(WITH_SWAP))) {
        writeMib(group, WITH_SWAP, finer.withSwapMib());
      }
      if (finer.swappiness() != null) {
        CgroupHierarchy.write(group, "memory.swappiness", finer.swappiness().toString());
      }
    }
    Long processes = confinement.processes();
    if (controller.equals("pids") && processes != null) {
      CgroupHierarchy.write(group, "pids.max", processes.toString());
    }
  }

  private static void writeMib(Path group, String file, @Nullable Long mib) throws IOException {
    if (mib != null) {
      CgroupHierarchy.write(group, file, Long.toString(mib << 20));
    }
  }

  @Override
  public void expectStep() {
    warmup.expect();
  }

  @Override
  public StepCgroup existing(long jobId, String step) {
    return new Step(
        allTrees(),
        joined(jobId, step),
        trees.get("memory"),
        trees.get("freezer"),
        unified,
        jobId,
        step);
  }

  @Override
  public List<Long> jobs() {
    return trees.values().stream().flatMap(t -> t.jobs().stream()).sorted().distinct().toList();
  }

  @Override
  public void leave() {
    allTrees().forEach(CgroupHierarchy::leave);
  }

  /** Only steps that are kept from devices have a group for that. */
  private List<CgroupHierarchy> joined(long jobId, String step) {
    List<CgroupHierarchy> all = allTrees();
    CgroupHierarchy lines = devices.lines();
    if (lines != null && Files.notExists(lines.step(jobId, step))) {
      all.remove(lines);
    }
    return all;
  }

  private List<CgroupHierarchy> allTrees() {
    List<CgroupHierarchy> all = new ArrayList<>(trees.values());
    if (unified != null) {
      all.add(unified);
    }
    CgroupHierarchy lines = devices.lines();
    if (lines != null) {
      all.add(lines);
    }
    return all;
  }

  private record Step(
      List<CgroupHierarchy> trees,
      List<CgroupHierarchy> joined,
      @Nullable CgroupHierarchy memory,
      @Nullable CgroupHierarchy freezer,
      @Nullable CgroupHierarchy unified,
      long jobId,
      String step)
      implements StepCgroup {
    @Override
    public List<Path> directories() {
      return joined.stream().map(tree -> tree.step(jobId, step)).toList();
    }

    @Override
    public List<Long> processes() {
      return CgroupHierarchy.members(directories());
    }

    /**
     * At one stroke by version 2; else frozen first, so that no process can fork meanwhile, and
     * killed one by one.
     */
    @Override
    public void kill() {
      if (unified != null && killedAtOnce(unified.step(jobId, step))) {
        return;
      }
      freeze("FROZEN");
      for (long pid : processes()) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
      freeze("THAWED");
    }

    private static boolean killedAtOnce(Path group) {
      try {
        CgroupHierarchy.write(group, "cgroup.kill", "1");
        return true;
      } catch (IOException _) {
        return false;
      }
    }

    private void freeze(String state) {
      if (freezer != null) {
        try {
          CgroupHierarchy.write(freezer.step(jobId, step), "freezer.state", state);
        } catch (IOException _) {
          // A group that is gone needs no freezing.
        }
      }
    }

    @Override
    public long memoryBytes() {
      return memory == null
          ? 0
          : CgroupHierarchy.counter(memory.step(jobId, step), "memory.stat", "total_rss");
    }

    @Override
    public long oomKills() {
      return memory == null
          ? 0
          : CgroupHierarchy.counter(memory.step(jobId, step), "memory.oom_control", "oom_kill");
    }

    @Override
    public long userMicros() {
      return 0;
    }

    @Override
    public long systemMicros() {
      return 0;
    }

    @Override
    public boolean remove() throws IOException {
      boolean gone = true;
      for (CgroupHierarchy tree : trees) {
        gone &= tree.remove(jobId, step);
      }
      return gone;
    }
  }
}

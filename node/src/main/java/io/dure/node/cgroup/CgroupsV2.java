package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Version 2: one tree for all controllers. Each level passes the controllers on through {@code
 * cgroup.subtree_control}, and a group that does so may have no members itself.
 */
final class CgroupsV2 implements Cgroups {
  private static final List<String> CONFINING = List.of("cpuset", "memory", "pids");

  /** Not there where the kernel does not account swap. */
  private static final String SWAP = "memory.swap.max";

  private final CgroupHierarchy tree;
  private final TreeSet<String> controllers = new TreeSet<>();
  private final List<String> missing = new ArrayList<>();

  /**
   * Makes the node's groups.
   *
   * @param extra further controllers that jobs have
   * @throws IOException when they cannot be made at all
   */
  CgroupsV2(Path mount, String nodeName, List<String> extra) throws IOException {
    tree = new CgroupHierarchy(mount, nodeName);
    CgroupHierarchy.make(tree.top());
    TreeSet<String> wanted = new TreeSet<>(CONFINING);
    wanted.addAll(extra);
    for (String controller : wanted) {
      if (!offered(mount).contains(controller)) {
        missing.add(controller + ": not offered by " + mount);
        continue;
      }
      try {
        passOnFromRoot(mount, controller);
        passOn(tree.top(), controller);
        controllers.add(controller);
      } catch (IOException e) {
        missing.add(controller + ": " + e);
      }
    }
    CgroupHierarchy.make(tree.node());
    for (String controller : controllers) {
      passOn(tree.node(), controller);
    }
  }

  /** What a tree offers to its groups. */
  static List<String> offered(Path mount) {
    return Arrays.asList(CgroupHierarchy.read(mount, "cgroup.controllers").split(" ", -1));
  }

  private static void passOn(Path group, String controller) throws IOException {
    List<String> passed =
        Arrays.asList(CgroupHierarchy.read(group, "cgroup.subtree_control").split(" ", -1));
    if (!passed.contains(controller)) {
      CgroupHierarchy.write(group, "cgroup.subtree_control", "+" + controller);
    }
  }

  /**
   * In a container the mount is not the true root, and the container's processes sit right in it,
   * which forbids passing controllers on; they are moved into a group of their own, once.
   */
  private void passOnFromRoot(Path mount, String controller) throws IOException {
    try {
      passOn(mount, controller);
    } catch (IOException e) {
      if (!Files.exists(mount.resolve("cgroup.type"))) {
        throw e;
      }
      Path others = mount.resolve("dure-others");
      CgroupHierarchy.make(others);
      for (long pid : CgroupHierarchy.members(List.of(mount))) {
        CgroupHierarchy.write(others, "cgroup.procs", Long.toString(pid));
      }
      passOn(mount, controller);
    }
  }

  /** Says so where swap is to be limited, and cannot be. */
  void limitsSwap() {
    if (controllers.contains("memory") && Files.notExists(tree.node().resolve(SWAP))) {
      missing.add("swap: the kernel does not account it");
    }
  }

  boolean confines() {
    return controllers.contains("cpuset") || controllers.contains("memory");
  }

  @Override
  public Version version() {
    return Version.V2;
  }

  @Override
  public String shortcomings() {
    return missing.isEmpty() ? "" : "cgroup v2: not confined: " + String.join("; ", missing);
  }

  @Override
  public String deviceShortcomings() {
    return new DeviceGuard(null, tree).shortcomings();
  }

  @Override
  public StepCgroup create(
      long jobId, String step, StepConfinement ofJob, StepConfinement confinement)
      throws IOException {
    try {
      Path job = tree.job(jobId);
      Path leaf = tree.step(jobId, step);
      CgroupHierarchy.make(tree.node());
      boolean firstStep = Files.notExists(job);
      CgroupHierarchy.make(job);
      for (String controller : controllers) {
        passOn(job, controller);
      }
      if (firstStep) {
        confine(job, ofJob);
      }
      CgroupHierarchy.make(leaf);
      confine(leaf, confinement);
      if (controllers.contains("memory") && confinement.dieTogether()) {
        CgroupHierarchy.write(leaf, "memory.oom.group", "1");
      }
      new DeviceGuard(null, tree).refuse(jobId, step, confinement.refused());
    } catch (IOException e) {
      existing(jobId, step).remove();
      throw e;
    }
    return existing(jobId, step);
  }

  private void confine(Path group, StepConfinement confinement) throws IOException {
    StepConfinement.Finer finer = confinement.finer();
    if (controllers.contains("cpuset") && !confinement.cpus().isEmpty() && !finer.cpusOpen()) {
      CgroupHierarchy.write(group, "cpuset.cpus", StepConfinement.cpuList(confinement.cpus()));
    }
    Long memoryMib = confinement.memoryMib();
    if (controllers.contains("memory") && memoryMib != null) {
      CgroupHierarchy.write(group, "memory.max", Long.toString(memoryMib << 20));
    }
    Long soft = finer.softMib();
    if (controllers.contains("memory") && soft != null) {
      CgroupHierarchy.write(group, "memory.high", Long.toString(soft << 20));
    }
    Long withSwap = finer.withSwapMib();
    if (controllers.contains("memory") && withSwap != null) {
      long swap = memoryMib == null ? withSwap : withSwap - memoryMib;
      if (Files.exists(group.resolve(SWAP))) {
        CgroupHierarchy.write(group, SWAP, Long.toString(swap << 20));
      }
    }
    Long processes = confinement.processes();
    if (controllers.contains("pids") && processes != null) {
      CgroupHierarchy.write(group, "pids.max", processes.toString());
    }
  }

  @Override
  public StepCgroup existing(long jobId, String step) {
    return new Step(tree, jobId, step);
  }

  @Override
  public List<Long> jobs() {
    return tree.jobs();
  }

  @Override
  public void leave() {
    tree.leave();
  }

  private record Step(CgroupHierarchy tree, long jobId, String step) implements StepCgroup {
    private Path leaf() {
      return tree.step(jobId, step);
    }

    @Override
    public List<Path> directories() {
      return List.of(leaf());
    }

    @Override
    public List<Long> processes() {
      return CgroupHierarchy.members(directories());
    }

    @Override
    public void kill() {
      try {
        CgroupHierarchy.write(leaf(), "cgroup.kill", "1");
      } catch (IOException _) {
        // Linux before 5.14 has no such file.
        for (long pid : processes()) {
          ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    }

    @Override
    public long oomKills() {
      return CgroupHierarchy.counter(leaf(), "memory.events", "oom_kill");
    }

    @Override
    public long memoryBytes() {
      return CgroupHierarchy.counter(leaf(), "memory.stat", "anon");
    }

    @Override
    public long userMicros() {
      return CgroupHierarchy.counter(leaf(), "cpu.stat", "user_usec");
    }

    @Override
    public long systemMicros() {
      return CgroupHierarchy.counter(leaf(), "cpu.stat", "system_usec");
    }

    @Override
    public boolean remove() throws IOException {
      return tree.remove(jobId, step);
    }
  }
}

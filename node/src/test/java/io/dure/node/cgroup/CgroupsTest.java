package io.dure.node.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.model.config.step.CgroupSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class CgroupsTest {
  @TempDir Path fake;

  @Test
  void mountsAreReadFromMountinfo() {
    CgroupMounts mounts =
        CgroupMounts.parse(
            List.of(
                "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
                "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct",
                "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
                "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
                "nonsense"));
    assertEquals(Path.of("/sys/fs/cgroup/memory"), mounts.v1().get("memory"));
    assertEquals(Path.of("/sys/fs/cgroup/cpu,cpuacct"), mounts.v1().get("cpuacct"));
    assertEquals(Path.of("/sys/fs/cgroup/unified"), mounts.v2());
    assertNull(CgroupMounts.parse(List.of()).v2());
  }

  @Test
  void withoutMountsThereAreNoneAndTheReasonIsGiven() {
    Cgroups none = CgroupMounts.read(Path.of("/no/such/mountinfo")).choose("n1");
    assertEquals(Cgroups.Version.NONE, none.version());
    assertEquals("no control groups are mounted", none.shortcomings());
  }

  @Test
  void aTreeThatCannotBeWrittenIsNamedInTheReason() {
    Cgroups none =
        new CgroupMounts(new java.util.TreeMap<>(Map.of("memory", Path.of("/proc/self"))), null)
            .choose("n1");
    assertEquals(Cgroups.Version.NONE, none.version());
    assertTrue(none.shortcomings().contains("memory: "), none.shortcomings());
    assertTrue(none.shortcomings().contains("cpuset: not mounted"), none.shortcomings());
  }

  @Test
  void versionOneMakesConfinesAndRemoves() throws Exception {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc/self/mountinfo"));
    assumeTrue(mounts.v1().containsKey("cpuset"), "no cgroup v1 cpuset is mounted here");
    String node = "test" + ProcessHandle.current().pid();
    Cgroups cgroups = mounts.choose(node);
    assumeTrue(cgroups.version() == Cgroups.Version.V1, cgroups.shortcomings());
    Path nodeGroup = mounts.v1().get("cpuset").resolve("dure").resolve(node);
    try {
      StepCgroup step = cgroups.create(7, "batch", new StepConfinement(List.of(0), 64L, 70L));
      Path cpuset = nodeGroup.resolve("job_7/step_batch");
      assertTrue(step.directories().contains(cpuset));
      assertEquals("0", CgroupHierarchy.read(cpuset, "cpuset.cpus"));
      assertFalse(CgroupHierarchy.read(cpuset, "cpuset.mems").isEmpty());
      Path memory = mounts.v1().get("memory").resolve("dure").resolve(node).resolve("job_7");
      assertEquals(Long.toString(64L << 20), CgroupHierarchy.read(memory, "memory.limit_in_bytes"));
      Path pids = mounts.v1().get("pids").resolve("dure").resolve(node).resolve("job_7");
      assertEquals("70", CgroupHierarchy.read(pids, "pids.max"));
      assertEquals("70", CgroupHierarchy.read(pids.resolve("step_batch"), "pids.max"));
      assertEquals(List.of(7L), cgroups.jobs());
      assertEquals(List.of(), step.processes());
      assertEquals(0, step.oomKills());
      cgroups.create(7, "0", new StepConfinement(List.of(0), 64L));
      assertTrue(step.remove());
      assertTrue(Files.exists(cpuset.getParent()), "the other step needs the job's group");
      assertTrue(cgroups.existing(7, "0").remove());
      assertFalse(Files.exists(cpuset.getParent()));
      assertTrue(step.remove(), "gone already");
      assertThrows(
          IOException.class,
          () -> cgroups.create(8, "batch", new StepConfinement(List.of(9999), null)));
      assertEquals(List.of(), cgroups.jobs(), "nothing is left of a failure");
    } finally {
      for (StepCgroup left : List.of(cgroups.existing(7, "batch"), cgroups.existing(7, "0"))) {
        left.remove();
      }
      cgroups.leave();
      assertFalse(Files.exists(nodeGroup));
    }
  }

  @Test
  void versionOneBoundsSwapAndLeavesCpusOpen() throws Exception {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc/self/mountinfo"));
    assumeTrue(mounts.v1().containsKey("memory"), "no cgroup v1 memory is mounted here");
    Cgroups cgroups = mounts.choose("swap" + ProcessHandle.current().pid(), V1_SWAP);
    assumeTrue(cgroups.shortcomings().isEmpty(), cgroups.shortcomings());
    try {
      StepCgroup step = cgroups.create(7, "0", FINER);
      String memory = "/memory/";
      Path group =
          step.directories().stream()
              .filter(path -> path.toString().contains(memory))
              .findFirst()
              .orElseThrow();
      for (Path each : List.of(group, group.getParent())) {
        assertEquals(mib(64), CgroupHierarchy.read(each, "memory.limit_in_bytes"));
        assertEquals(mib(48), CgroupHierarchy.read(each, "memory.soft_limit_in_bytes"));
        assertEquals(mib(96), CgroupHierarchy.read(each, "memory.memsw.limit_in_bytes"));
        assertEquals("7", CgroupHierarchy.read(each, "memory.swappiness"));
      }
      Path cpuset =
          step.directories().stream()
              .filter(path -> path.toString().contains("/cpuset/"))
              .findFirst()
              .orElseThrow();
      String all = CgroupHierarchy.read(mounts.v1().get("cpuset"), "cpuset.cpus");
      assertEquals(all, CgroupHierarchy.read(cpuset, "cpuset.cpus"));
    } finally {
      cgroups.existing(7, "0").remove();
      cgroups.leave();
    }
  }

  private static final StepConfinement FINER =
      new StepConfinement(
          List.of(0),
          64L,
          null,
          false,
          List.of(),
          new StepConfinement.Finer(true, 48L, 48L, 96L, 7));

  private static final CgroupSettings V1_SWAP =
      new CgroupSettings(
          CgroupSettings.Plugin.V1,
          "",
          false,
          true,
          true,
          true,
          CgroupSettings.Memory.USUAL,
          true,
          List.of("io"));

  private static String mib(long mib) {
    return Long.toString(mib << 20);
  }

  @Test
  void versionTwoBoundsSwapAndPassesMoreOn() throws Exception {
    group("", "cgroup.subtree_control");
    Files.writeString(fake.resolve("cgroup.controllers"), "cpuset io memory pids\n");
    group("dure", "cgroup.subtree_control");
    group("dure/n1", "cgroup.subtree_control", "memory.swap.max");
    String[] files = {"cgroup.subtree_control", "memory.max", "memory.high", "memory.swap.max"};
    group("dure/n1/job_5", files);
    Path leaf = group("dure/n1/job_5/step_0", files);
    CgroupMounts mounts = new CgroupMounts(new java.util.TreeMap<>(), fake);
    CgroupSettings settings =
        new CgroupSettings(
            CgroupSettings.Plugin.V2,
            fake.toString(),
            false,
            true,
            true,
            true,
            CgroupSettings.Memory.USUAL,
            true,
            List.of("io", "misc"));
    Cgroups cgroups = mounts.below(fake.toString()).choose("n1", settings);
    assertTrue(cgroups.shortcomings().contains("misc: not offered"), cgroups.shortcomings());
    cgroups.create(5, "0", FINER);
    assertEquals(mib(64), CgroupHierarchy.read(leaf, "memory.max"));
    assertEquals(mib(48), CgroupHierarchy.read(leaf, "memory.high"));
    assertEquals(mib(32), CgroupHierarchy.read(leaf, "memory.swap.max"));
    assertFalse(cgroups.shortcomings().contains("io:"), cgroups.shortcomings());
    assertNull(mounts.below("/sys").v2());
    assertEquals(Cgroups.Version.NONE, mounts.choose("n1", V1_SWAP).version());
  }

  /** Makes what the kernel would make in a new group, so that the code finds its files. */
  private Path group(String name, String... files) throws IOException {
    Path group = Files.createDirectories(fake.resolve(name));
    for (String file : files) {
      Files.writeString(group.resolve(file), "");
    }
    return group;
  }

  @Test
  void versionTwoPassesControllersDownAndConfines() throws Exception {
    group("", "cgroup.subtree_control");
    Files.writeString(fake.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
    group("dure", "cgroup.subtree_control");
    group("dure/n1", "cgroup.subtree_control");
    Path job = group("dure/n1/job_5", "cgroup.subtree_control", "cpuset.cpus", "memory.max");
    Path leaf =
        group(
            "dure/n1/job_5/step_batch",
            "cpuset.cpus",
            "memory.max",
            "pids.max",
            "cgroup.procs",
            "cgroup.kill");
    Cgroups cgroups = new CgroupMounts(new java.util.TreeMap<>(), fake).choose("n1");
    assertInstanceOf(CgroupsV2.class, cgroups);
    assertEquals("", cgroups.shortcomings());
    StepCgroup step = cgroups.create(5, "batch", new StepConfinement(List.of(2, 3), 100L, 70L));
    assertEquals(List.of(leaf), step.directories());
    assertEquals("2-3", CgroupHierarchy.read(leaf, "cpuset.cpus"));
    assertEquals("", CgroupHierarchy.read(job, "cpuset.cpus"), "the job was there already");
    assertEquals("104857600", CgroupHierarchy.read(leaf, "memory.max"));
    assertEquals("70", CgroupHierarchy.read(leaf, "pids.max"));
    // A plain file keeps both words where the kernel would have taken each.
    assertTrue(CgroupHierarchy.read(fake, "cgroup.subtree_control").startsWith("+"));
    Files.writeString(leaf.resolve("memory.events"), "low 0\noom 2\noom_kill 3\n");
    assertEquals(3, step.oomKills());
    Files.writeString(leaf.resolve("cgroup.procs"), "12\n34\n");
    assertEquals(List.of(12L, 34L), step.processes());
    Files.writeString(leaf.resolve("memory.stat"), "anon 4096\nfile 99\n");
    assertEquals(4096, step.memoryBytes());
    assertFalse(Files.exists(leaf.resolve("memory.oom.group")));
    group("dure/n1/job_5/step_batch", "memory.oom.group");
    cgroups.create(5, "batch", new StepConfinement(List.of(2), 100L, 70L, true));
    assertEquals("1", CgroupHierarchy.read(leaf, "memory.oom.group"));
    step.kill();
    assertEquals("1", CgroupHierarchy.read(leaf, "cgroup.kill"));
  }

  @Test
  void versionTwoThatOffersNothingIsForTrackingAndSaysSo() throws Exception {
    Files.writeString(fake.resolve("cgroup.controllers"), "hugetlb\n");
    Cgroups cgroups = new CgroupMounts(new java.util.TreeMap<>(), fake).choose("n1");
    assertEquals(Cgroups.Version.V2, cgroups.version());
    assertTrue(cgroups.shortcomings().contains("memory: not offered"), cgroups.shortcomings());
    StepCgroup step = cgroups.create(5, "batch", new StepConfinement(List.of(0), 100L));
    assertEquals(List.of(5L), cgroups.jobs());
    assertTrue(step.remove());
    assertEquals(List.of(), cgroups.jobs());
  }
}

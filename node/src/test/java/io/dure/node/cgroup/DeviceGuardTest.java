package io.dure.node.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices that the kernel of this machine refuses to processes in groups, by either version. */
@Tag("process")
class DeviceGuardTest {
  private static final DeviceNumber ZERO = new DeviceNumber(false, 1, 5);
  private static final DeviceNumber FULL = new DeviceNumber(false, 1, 7);

  private final String node = "guard" + ProcessHandle.current().pid();
  private final CgroupMounts mounts = CgroupMounts.read(Path.of("/proc/self/mountinfo"));
  private @Nullable CgroupHierarchy tree;

  private CgroupHierarchy tree(@Nullable Path mount, String what) throws IOException {
    assumeTrue(mount != null && Files.isWritable(mount), what + " is not mounted and writable");
    CgroupHierarchy made = new CgroupHierarchy(mount, node);
    tree = made;
    for (String step : List.of("batch", "0")) {
      for (Path group : made.pathTo(7, step)) {
        CgroupHierarchy.make(group);
      }
    }
    return made;
  }

  @AfterEach
  void leave() throws Exception {
    if (tree != null) {
      assertTrue(tree.remove(7, "batch"));
      assertTrue(tree.remove(7, "0"));
      tree.leave();
      assertFalse(Files.exists(tree.node()));
    }
  }

  /** What comes of opening each from a process that has left session and tree. */
  private static String opened(Path group, String... files) throws Exception {
    StringBuilder script =
        new StringBuilder("echo $$ > " + group + "/cgroup.procs; (setsid sh -c '");
    for (String file : files) {
      script.append("(: < ").append(file).append(") 2>&1 && echo open;");
    }
    script.append("' &) | cat"); // which ends when the last writer has
    Process process =
        new ProcessBuilder("sh", "-c", script.toString()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return said.replaceAll("(?m)^.*: ", "");
  }

  private void refuses(DeviceGuard guard, CgroupHierarchy tree) throws Exception {
    assertEquals("", guard.shortcomings());
    guard.refuse(7, "batch", List.of(FULL));
    guard.refuse(7, "0", List.of(ZERO, FULL));
    assertEquals(
        "open\nOperation not permitted\nopen\n",
        opened(tree.step(7, "batch"), "/dev/zero", "/dev/full", "/dev/null"));
    assertEquals(
        "Operation not permitted\nOperation not permitted\nopen\n",
        opened(tree.step(7, "0"), "/dev/zero", "/dev/full", "/dev/null"));
  }

  @Test
  void theControllerOfVersionOneRefusesDevices() throws Exception {
    CgroupHierarchy lines = tree(mounts.v1().get("devices"), "cgroup v1 devices");
    refuses(new DeviceGuard(lines, null), lines);
  }

  @Test
  void aProgramAtAGroupOfVersionTwoRefusesDevices() throws Exception {
    CgroupHierarchy unified = tree(mounts.v2(), "cgroup v2");
    refuses(new DeviceGuard(null, unified), unified);
  }

  @Test
  void theKernelChecksLongPrograms() throws Exception {
    tree(mounts.v2(), "cgroup v2");
    List<DeviceNumber> many =
        IntStream.range(0, 800).mapToObj(minor -> new DeviceNumber(false, 195, minor)).toList();
    BpfSystemCall.verify(DeviceProgram.refusing(many));
    byte[] nothing = new byte[DeviceProgram.INSTRUCTION_BYTES];
    String said = assertThrows(IOException.class, () -> BpfSystemCall.verify(nothing)).getMessage();
    String refusal = "the kernel takes no program for devices: Invalid argument";
    assertTrue(said.startsWith(refusal), said);
  }

  @Test
  void whereNothingCanRefuseThemNoStepIsMade() {
    DeviceGuard none = new DeviceGuard(null, null);
    assertEquals("devices: not mounted, nor is version 2", none.shortcomings());
    assertThrows(IOException.class, () -> none.refuse(7, "batch", List.of(ZERO)));
  }
}

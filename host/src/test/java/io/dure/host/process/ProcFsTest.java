package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.user.CurrentProcess;
import io.dure.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@Tag("process")
class ProcFsTest {
  private final ProcFs proc = ProcFs.ofThisMachine();

  @Test
  void tellsOfThisProcess() throws Exception {
    ProcessStat self = proc.stat(CurrentProcess.pid());
    assertNotNull(self);
    assertEquals("java", self.command());
    assertTrue(self.isAlive());
    assertEquals(ProcessHandle.current().parent().orElseThrow().pid(), self.parent());
    assertTrue(proc.isAlive(self.pid(), self.startTicks()));
    assertFalse(proc.isAlive(self.pid(), self.startTicks() - 1));
    Instant started = proc.bootTime().plusMillis(self.startTicks() * 10);
    Duration off =
        Duration.between(started, ProcessHandle.current().info().startInstant().orElseThrow());
    assertTrue(off.abs().compareTo(Duration.ofSeconds(2)) < 0, off::toString);
  }

  @Test
  void findsChildrenAndGrandchildrenAndZombiesAreNotAlive() throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; read x; exec sleep 60").start();
    try {
      byte[] line = new byte[16];
      int length = shell.getInputStream().read(line);
      int grandchild =
          Integer.parseInt(new String(line, 0, length, StandardCharsets.UTF_8).strip());
      int child = (int) shell.pid();
      assertEquals(List.of(grandchild), proc.descendants(child));
      List<Integer> ours = proc.descendants(CurrentProcess.pid());
      assertTrue(ours.indexOf(child) >= 0 && ours.indexOf(child) < ours.indexOf(grandchild));
      assertFalse(ours.contains(CurrentProcess.pid()));
      // Becomes a program that never waits, so its dead child remains a zombie.
      shell.getOutputStream().write('\n');
      shell.getOutputStream().flush();
      while (!"sleep".equals(proc.stat(child).command())) {
        Thread.onSpinWait();
      }
      new ProcessBuilder("kill", "-9", "" + grandchild).start().waitFor();
      while (proc.isAlive(grandchild)) {
        Thread.onSpinWait();
      }
      ProcessStat dead = proc.stat(grandchild);
      assertNotNull(dead, "the zombie is still there");
      assertEquals('Z', dead.state());
    } finally {
      shell.destroyForcibly().waitFor();
    }
    assertFalse(proc.isAlive((int) shell.pid()));
  }

  @Test
  void thereIsNoProcessOfAnImpossibleNumber() throws Exception {
    assertNull(proc.stat(-1));
    assertNull(proc.stat(0));
    assertNull(proc.stat(Integer.MAX_VALUE));
    assertFalse(proc.isAlive(Integer.MAX_VALUE));
    assertEquals(List.of(), proc.descendants(Integer.MAX_VALUE));
  }

  @Test
  void aProgramMayHaveAnyName() {
    String rest = " 1 2 3 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3\n";
    ProcessStat stat = ProcessStat.parse("17 (a) S (b) 9 9) R" + rest);
    assertEquals(new ProcessStat(17, "a) S (b) 9 9", 'R', 1, 2, 3, 987654), stat);
    assertNull(ProcessStat.parse(""));
    assertNull(ProcessStat.parse("17 (sh"));
    assertNull(ProcessStat.parse("17 (sh)"));
    assertNull(ProcessStat.parse("17 (sh) R 1 2"));
    assertNull(ProcessStat.parse("x (sh) R" + rest));
  }

  @Test
  void tellsOfTheMachine() throws Exception {
    assertEquals(36, proc.bootId().length());
    Duration off = Duration.between(proc.bootTime().plus(proc.uptime()), Instant.now());
    assertTrue(off.abs().compareTo(Duration.ofSeconds(5)) < 0, off::toString);
    // Of the same numbers, some of which change between two looks.
    Await.seconds(60)
        .until(
            "the kernel says the same in both ways",
            () -> {
              double before = Double.parseDouble(proc.read("loadavg").split(" ", 2)[0]);
              MachineLoad load = new MachineLoad.Probe().now();
              return Math.abs(load.loadAverage() - before) < 0.011
                  && Math.abs(load.freeMib() - proc.memory().freeMib()) <= 16;
            });
    MemoryInfo memory = proc.memory();
    assertTrue(memory.freeMib() > 0 && memory.freeMib() <= memory.totalMib(), memory::toString);
    assertTrue(memory.availableMib() <= memory.totalMib(), memory::toString);
    assertEquals(run("uname", "-srv"), proc.operatingSystem());
    assertEquals(run("uname", "-n").split("\\.", -1)[0], proc.shortHostName());
  }

  static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}

package io.dure.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.request.PropagatedRlimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ProcessTest {

  @TempDir Path proc;

  @Test
  void wordsKeepLettersBeyondAscii() throws IOException {
    Files.writeString(proc.resolve("cmdline"), "java\0Main\0sbatch\0-J\0두레\0\0");
    Files.writeString(proc.resolve("environ"), "A=1\0B=x=y\nz\0A=2\0broken\0=odd\0");
    assertEquals(List.of("sbatch", "-J", "두레", ""), ProcessArguments.arguments(proc, 4));
    assertEquals(List.of(), ProcessArguments.arguments(proc, 0));
    assertEquals(Map.of("A", "1", "B", "x=y\nz"), ProcessArguments.environment(proc));
  }

  @Test
  void theKernelTellsAboutTheCaller() throws IOException {
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(proc.resolve("sys/kernel"));
    Files.writeString(proc.resolve("self/status"), "Name:\tjava\nUmask:\t0027\n");
    Files.writeString(
        proc.resolve("self/stat"), "77 (odd) name) S 1 2 4711 0 -1 0 0 0 0 0 0 0 0 0 25 5 1\n");
    Files.writeString(proc.resolve("sys/kernel/hostname"), "login1.example.org\n");
    Files.writeString(
        proc.resolve("self/limits"),
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max cpu time              unlimited            unlimited            seconds
        Max stack size            8388608              unlimited            bytes
        Max open files            1024                 524288               files
        """);
    CurrentProcessCaller caller = new CurrentProcessCaller(proc);
    assertEquals(027, caller.umask());
    assertEquals(4711, caller.sessionId());
    assertEquals(5, caller.nice());
    assertEquals(0, caller.nice(99));
    assertEquals("login1", caller.hostName());
    assertEquals(
        List.of(
            new PropagatedRlimit("CPU", -1),
            new PropagatedRlimit("STACK", 8388608),
            new PropagatedRlimit("NOFILE", 1024)),
        caller.limits());
  }

  @Test
  void theRealProcessHasAnAnswerToAll() {
    CurrentProcessCaller caller = new CurrentProcessCaller(Path.of("/proc"));
    assertTrue(caller.umask() <= 0777);
    assertEquals(10, caller.limits().size());
    assertTrue(caller.uid() >= 0 && caller.gid() >= 0);
    assertTrue(caller.sessionId() >= 0);
    assertTrue(new SystemWallClock(null).now().getEpochSecond() > 0);
  }
}

package io.dure.host.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the administrator, real ones. */
@Tag("process")
class ScriptRunTest {
  private static final int MORE_THAN_CARRIERS = 300;

  @TempDir Path directory;

  @AfterEach
  void endLeftovers() throws IOException {
    for (long pid : leftovers()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private List<Long> leftovers() throws IOException {
    Path pids = directory.resolve("pids");
    return Files.exists(pids)
        ? Files.readAllLines(pids).stream().map(Long::valueOf).toList()
        : List.of();
  }

  private String program(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private ScriptRun run(String pattern, @Nullable Duration timeout) {
    Map<String, String> environment = Map.of("DIR", directory.toString());
    return new ScriptRun("prolog", List.of(pattern), environment, timeout, null);
  }

  private ScriptResult result(String pattern) throws InterruptedException {
    return run(pattern, null).run();
  }

  @Test
  void aChildThatKeepsTheOutputHoldsNothingHere() throws Exception {
    String leaver = program("leaver", "/bin/sleep 600 &\necho $! >> $DIR/pids\necho begun");
    assertEquals(new ScriptResult.Succeeded(), result(leaver));
    long threads = threads();
    for (int i = 1; i < MORE_THAN_CARRIERS; i++) {
      assertEquals(new ScriptResult.Succeeded(), result(leaver));
    }
    assertEquals(MORE_THAN_CARRIERS, leftovers().size());
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofVirtual().start(done::countDown);
    assertTrue(done.await(20, TimeUnit.SECONDS), "a virtual thread runs");
    assertTrue(threads() < threads + 50, () -> threads + " threads became " + threads());
    assertEquals(0, outputs("self"));
    // The child itself goes on writing to what nobody else sees.
    assertTrue(outputs(Long.toString(leftovers().getFirst())) > 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().size();
  }

  /** How many descriptors of a process are outputs of programs; all have lost their names. */
  private static long outputs(String process) throws IOException {
    List<String> targets = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc", process, "fd"))) {
      for (Path link : links.toList()) {
        if (Files.isSymbolicLink(link)) {
          targets.add(Files.readSymbolicLink(link).toString());
        }
      }
    }
    List<String> outputs = targets.stream().filter(t -> t.contains("dure-script")).toList();
    assertTrue(outputs.stream().allMatch(t -> t.endsWith(" (deleted)")), outputs::toString);
    return outputs.size();
  }

  @Test
  void whatItSaysIsToldWhenItFails() throws Exception {
    String complainer =
        program(
            "complainer",
            "echo no >&2\ni=0\nwhile [ $i -lt 20000 ]; do echo 12345678; i=$((i+1)); done\nexit 3");
    ScriptResult.Failed failed = assertInstanceOf(ScriptResult.Failed.class, result(complainer));
    String begin = "prolog " + complainer + " failed with exit status 3: no\n12345678\n";
    assertTrue(failed.reason().startsWith(begin), failed::reason);
    assertTrue(failed.reason().length() < begin.length() + 400);
    String silent = program("silent", "exit 1");
    assertEquals(
        new ScriptResult.Failed("prolog " + silent + " failed with exit status 1"), result(silent));
  }

  @Test
  void patternsRunInOrderUntilOneFails() throws Exception {
    program("p2", "echo 2 >> $DIR/order; exit 1");
    program("p1", "echo 1 >> $DIR/order");
    program("p3", "echo 3 >> $DIR/order");
    program(".p0", "echo 0 >> $DIR/order");
    ScriptResult result = result(directory + "/*p[0-9]");
    assertEquals(
        new ScriptResult.Failed("prolog " + directory + "/p2 failed with exit status 1"), result);
    assertEquals("1\n2\n", Files.readString(directory.resolve("order")));
  }

  @Test
  void whatCannotBeRunFails() throws Exception {
    for (String bad : List.of("/nowhere/x", "/nowhere/*", "/tmp/p[ro.sh", "/tmp/\0*", "/tmp/\0")) {
      ScriptResult.Failed failed = assertInstanceOf(ScriptResult.Failed.class, result(bad));
      assertTrue(failed.reason().startsWith("prolog could not be run: "), failed::reason);
    }
  }

  @Test
  void whatTakesTooLongFails() throws Exception {
    String sleeper = program("sleeper", "exec /bin/sleep 600");
    assertEquals(
        new ScriptResult.Failed("prolog " + sleeper + " was ended after PT0.05S"),
        run(sleeper, Duration.ofMillis(50)).run());
  }

  @Test
  void whatIsKilledHasNotFailed() throws Exception {
    Path begun = directory.resolve("begun");
    assertEquals(0, new ProcessBuilder("mkfifo", begun.toString()).start().waitFor());
    String sleeper = program("sleeper", "echo $$ > $DIR/begun\nexec /bin/sleep 600");
    ScriptRun run = run(sleeper, null);
    FutureTask<ScriptResult> result = new FutureTask<>(run::run);
    Thread.ofVirtual().start(result);
    long pid = Long.parseLong(Files.readString(begun).strip());
    run.kill();
    assertEquals(
        new ScriptResult.Ended("prolog " + sleeper + " was ended"),
        result.get(20, TimeUnit.SECONDS));
    assertTrue(ProcessHandle.of(pid).isEmpty());
  }

  @Test
  void whatIsKilledBeforehandDoesNotBegin() throws Exception {
    String program = program("program", "echo ran >> $DIR/order");
    ScriptRun run = run(program, null);
    run.kill();
    assertEquals(
        new ScriptResult.Ended("prolog " + program + " was ended before it began"), run.run());
    assertTrue(Files.notExists(directory.resolve("order")));
  }
}

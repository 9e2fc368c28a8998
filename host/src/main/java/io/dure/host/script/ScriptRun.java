package io.dure.host.script;

import io.dure.model.config.programpath.ProgramPattern;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of an administrator's programs, a prolog, an epilog or a health check, one after the
 * other as the daemon's own user. One thread runs it, any thread may kill it.
 */
public final class ScriptRun {
  private final String title;
  private final List<String> patterns;
  private final Map<String, String> environment;
  private final @Nullable Duration timeout;
  private final @Nullable ScriptProcessFile mark;
  private final List<String> arguments;
  private boolean killed;
  private boolean begun;
  private @Nullable Process process;

  /**
   * Prepares it.
   *
   * @param title what to call it in messages: {@code prolog}
   * @param patterns paths, whose last part may hold {@code *} and the like
   * @param environment all that the programs get
   * @param timeout for all of them together; null for ever
   * @param mark notes which process runs, null where no later daemon need know
   */
  public ScriptRun(
      String title,
      List<String> patterns,
      Map<String, String> environment,
      @Nullable Duration timeout,
      @Nullable ScriptProcessFile mark) {
    this(title, patterns, List.of(), environment, timeout, mark);
  }

  /**
   * Prepares it.
   *
   * @param title what to call it in messages: {@code ResumeProgram}
   * @param patterns paths, whose last part may hold {@code *} and the like
   * @param arguments what each program is called with
   * @param environment all that the programs get
   * @param timeout for all of them together; null for ever
   * @param mark notes which process runs, null where no later daemon need know
   */
  public ScriptRun(
      String title,
      List<String> patterns,
      List<String> arguments,
      Map<String, String> environment,
      @Nullable Duration timeout,
      @Nullable ScriptProcessFile mark) {
    this.arguments = List.copyOf(arguments);
    this.title = title;
    this.patterns = List.copyOf(patterns);
    this.environment = environment;
    this.timeout = timeout;
    this.mark = mark;
  }

  /** Runs the programs until one fails. */
  public ScriptResult run() throws InterruptedException {
    ScriptResult result;
    try {
      if (mark != null) {
        mark.endLeftover();
      }
      result = runAll();
    } catch (IOException e) {
      result = new ScriptResult.Failed(title + " could not be run: " + e.getMessage());
    } catch (RuntimeException e) {
      // The waiting thread must learn of the end, whatever a path or a name holds.
      result = new ScriptResult.Failed(title + " could not be run: " + e);
    }
    if (mark != null) {
      mark.clear();
    }
    return result;
  }

  private ScriptResult runAll() throws IOException, InterruptedException {
    long deadline = timeout == null ? Long.MAX_VALUE : System.nanoTime() + timeout.toNanos();
    for (String pattern : patterns) {
      for (Path program : programs(pattern)) {
        ScriptResult result = run(program, deadline);
        if (!(result instanceof ScriptResult.Succeeded)) {
          return result;
        }
      }
    }
    return new ScriptResult.Succeeded();
  }

  /** Ends it with all its processes. Waits while one is being started. */
  public synchronized void kill() {
    killed = true;
    Process running = process;
    if (running != null) {
      ScriptProcessFile.kill(running.toHandle());
    }
  }

  /** Whether one of the programs was begun. */
  public synchronized boolean begun() {
    return begun;
  }

  private List<Path> programs(String text) throws IOException {
    ProgramPattern pattern = ProgramPattern.parse(text);
    if (pattern == null) {
      throw new IOException(text + " is neither a path nor a pattern");
    }
    if (pattern.isPath() || pattern.directory().isEmpty()) {
      return List.of(Path.of(text));
    }
    try (Stream<Path> entries = Files.list(Path.of(pattern.directory()))) {
      return entries.filter(e -> pattern.matches(nameOf(e))).sorted().toList();
    }
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName());
  }

  private ScriptResult run(Path program, long deadline) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    try (ScriptOutput output = ScriptOutput.open()) {
      Process started = begin(builder, output);
      String what = title + " " + program;
      if (started == null) {
        return new ScriptResult.Ended(what + " was ended before it began");
      }
      boolean inTime = awaitEnd(started, deadline);
      if (over(inTime)) {
        return new ScriptResult.Ended(what + " was ended");
      }
      if (!inTime) {
        return failed(what, "was ended after " + timeout);
      }
      int code = started.exitValue();
      return code == 0
          ? new ScriptResult.Succeeded()
          : failed(what, "failed with exit status " + code + output.complaint());
    }
  }

  private static ScriptResult failed(String what, String how) {
    return new ScriptResult.Failed(what + " " + how);
  }

  private static boolean awaitEnd(Process started, long deadline) throws InterruptedException {
    if (deadline == Long.MAX_VALUE) {
      started.waitFor();
      return true;
    }
    return started.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private synchronized @Nullable Process begin(ProcessBuilder builder, ScriptOutput output)
      throws IOException {
    try {
      if (killed) {
        return null;
      }
      Process started = builder.redirectOutput(output.target()).start();
      process = started;
      begun = true;
      if (mark != null) {
        mark.note(started);
      }
      return started;
    } finally {
      output.unlink();
    }
  }

  /** Kills no process any more, since its number may soon be reused; true if one was killed. */
  private synchronized boolean over(boolean gone) {
    boolean onPurpose = killed;
    if (!gone) {
      kill();
    }
    process = null;
    return onPurpose;
  }
}

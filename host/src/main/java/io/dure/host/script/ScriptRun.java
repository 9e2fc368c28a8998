package io.dure.host.script;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
  private static final int LONGEST_COMPLAINT = 400;

  private final String title;
  private final List<String> patterns;
  private final Map<String, String> environment;
  private final @Nullable Duration timeout;
  private final @Nullable ScriptMark mark;
  private boolean killed;
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
      @Nullable ScriptMark mark) {
    this.title = title;
    this.patterns = List.copyOf(patterns);
    this.environment = environment;
    this.timeout = timeout;
    this.mark = mark;
  }

  /** Runs the programs until one fails; null if all succeeded, else what failed. */
  public @Nullable String run() throws InterruptedException {
    if (mark != null) {
      mark.endLeftover();
    }
    String failure = runAll();
    if (mark != null) {
      mark.clear();
    }
    return failure;
  }

  private @Nullable String runAll() throws InterruptedException {
    long deadline = timeout == null ? Long.MAX_VALUE : System.nanoTime() + timeout.toNanos();
    try {
      for (String pattern : patterns) {
        for (Path program : programs(pattern)) {
          String failure = run(program, deadline);
          if (failure != null) {
            return title + " " + program + " " + failure;
          }
        }
      }
      return null;
    } catch (IOException e) {
      return title + " could not be run: " + e.getMessage();
    }
  }

  /** Ends it with all its processes; it then counts as failed. */
  public synchronized void kill() {
    killed = true;
    Process running = process;
    if (running != null) {
      ScriptMark.kill(running.toHandle());
    }
  }

  private static List<Path> programs(String pattern) throws IOException {
    Path path = Path.of(pattern);
    Path directory = path.getParent();
    Path name = path.getFileName();
    if (directory == null || name == null || !name.toString().matches(".*[*?\\[].*")) {
      return List.of(path);
    }
    List<Path> found = new ArrayList<>();
    var matcher = directory.getFileSystem().getPathMatcher("glob:" + name);
    try (Stream<Path> entries = Files.list(directory)) {
      entries.filter(e -> matcher.matches(e.getFileName())).sorted().forEach(found::add);
    }
    return found;
  }

  private @Nullable String run(Path program, long deadline)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(program.toString())
            .directory(new File("/"))
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process started = begin(builder);
    if (started == null) {
      return "was ended";
    }
    Complaint complaint = new Complaint(started.getInputStream());
    Thread reader = Thread.ofVirtual().name(title + " output").start(complaint);
    boolean ended = deadline == Long.MAX_VALUE;
    if (ended) {
      started.waitFor();
    } else {
      ended = started.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    if (!ended) {
      kill();
      return "was ended after " + timeout;
    }
    int code = started.exitValue();
    if (isKilled()) {
      return "was ended";
    }
    if (code == 0) {
      return null;
    }
    // Its children may keep the output open for ever.
    reader.join(Duration.ofMillis(200));
    return "failed with exit status " + code + complaint.text();
  }

  private synchronized @Nullable Process begin(ProcessBuilder builder) throws IOException {
    if (killed) {
      return null;
    }
    Process started = builder.start();
    process = started;
    if (mark != null) {
      mark.note(started);
    }
    return started;
  }

  private synchronized boolean isKilled() {
    return killed;
  }

  /** Reads all that a program writes and keeps the beginning. */
  private static final class Complaint implements Runnable {
    private final InputStream output;
    private final StringBuilder begin = new StringBuilder();

    Complaint(InputStream output) {
      this.output = output;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[4096];
      try (output) {
        for (int got = output.read(buffer); got >= 0; got = output.read(buffer)) {
          add(new String(buffer, 0, got, StandardCharsets.UTF_8));
        }
      } catch (IOException _) {
        // The program is gone: there is no more to read.
      }
    }

    private synchronized void add(String text) {
      begin.append(text, 0, Math.min(text.length(), LONGEST_COMPLAINT - begin.length()));
    }

    synchronized String text() {
      String text = begin.toString().strip();
      return text.isEmpty() ? "" : ": " + text;
    }
  }
}

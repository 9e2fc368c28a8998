package io.dure.host.lua;

import io.dure.host.net.FrameStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process that runs Lua ({@code lua_host.c}). A script that hangs, crashes or takes too much
 * memory ends that process and nothing else. Used by one thread at a time.
 */
final class LuaHost implements AutoCloseable {
  private static final int MOST_BYTES = 256 << 20;

  private final Process process;
  private final int seconds;

  /** Which text of the script it has loaded; 0 for none. */
  private long version;

  private LuaHost(Process process, int seconds) {
    this.process = process;
    this.seconds = seconds;
  }

  /** Starts a process, in which the resource that the script is for speaks for it. */
  static LuaHost start(LuaProgram what) throws LuaException {
    LuaBounds bounds = what.bounds();
    Path home = Path.of(System.getProperty("dure.home", ".")).toAbsolutePath().normalize();
    Path program = home.resolve("host/target/lua_host");
    Path library = home.resolve("host/target/lua").resolve(library());
    if (!Files.isExecutable(program) || !Files.exists(library)) {
      throw new LuaException(
          "the program for Lua scripts is missing: "
              + program
              + ", "
              + library
              + "; build it by ./dure build");
    }
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  program.toString(),
                  library.toString(),
                  String.valueOf(bounds.memoryMib()),
                  String.valueOf(bounds.seconds())));
      if (what.terminal()) {
        command.add("terminal");
      }
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
      Map<String, String> variables = what.environment();
      if (variables != null) {
        builder.environment().clear();
        builder.environment().putAll(variables);
      }
      if (what.directory() != null) {
        builder.directory(what.directory().toFile());
      }
      Process process = builder.start();
      LuaHost host = new LuaHost(process, bounds.seconds());
      String chunk = resource("frames.lua") + resource(what.prelude());
      FrameStream.write(
          process.getOutputStream(), chunk.getBytes(StandardCharsets.UTF_8), MOST_BYTES);
      return host;
    } catch (IOException e) {
      throw new LuaException("cannot start " + program + ": " + e.getMessage());
    }
  }

  private static String library() {
    return System.getProperty("os.arch").equals("aarch64") ? "liblua54arm64.so" : "liblua5464.so";
  }

  private static String resource(String name) {
    try (InputStream in = LuaHost.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long version() {
    return version;
  }

  void loaded(long now) {
    version = now;
  }

  /**
   * The answer to a request.
   *
   * @throws LuaException if there is none; the process is of no use any more
   */
  @Nullable Object call(Map<String, ?> request, LuaQuestions questions, Deadline deadline)
      throws LuaException {
    CompletableFuture<Void> patience = new CompletableFuture<>();
    patience
        .orTimeout(deadline.leftNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(_ -> {
          close();
          return null;
        });
    try {
      Object said = exchange(request);
      while (said instanceof Map<?, ?> question && !"done".equals(question.get(1L))) {
        said = exchange(questions.answer(String.valueOf(question.get(1L)), question.get(2L)));
      }
      return said instanceof Map<?, ?> answer ? answer.get(2L) : null;
    } catch (IOException e) {
      close();
      throw new LuaException(
          "the script ended without an answer: it took longer than "
              + seconds
              + " s, or crashed ("
              + e.getMessage()
              + ")");
    } finally {
      patience.complete(null);
    }
  }

  private @Nullable Object exchange(@Nullable Object value) throws IOException {
    FrameStream.write(process.getOutputStream(), LuaValues.encode(value), MOST_BYTES);
    byte[] answer = FrameStream.read(process.getInputStream(), MOST_BYTES);
    if (answer == null) {
      throw new IOException("end of its output");
    }
    return LuaValues.decode(answer);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    // With the programs that the script waits for.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}

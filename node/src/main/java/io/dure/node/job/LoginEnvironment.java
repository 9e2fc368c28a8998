package io.dure.node.job;

import io.dure.host.script.ScriptProcessFile;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The environment that a user has after logging in on this node, for jobs that bring none ({@code
 * --export=NONE}, {@code --get-user-env}): what {@code su - USER} shows. Start files may print, ask
 * and hang, so the variables stand between marks, there is nothing to read, and time is short.
 */
final class LoginEnvironment {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LARGEST = 4 << 20;
  private static final String BEGIN = "XXXXDUREBEGINXXXX";
  private static final String END = "XXXXDUREENDXXXX";
  private static final String SHOW =
      "printf '%s' " + BEGIN + "; /usr/bin/env -0; printf '%s' " + END;

  private LoginEnvironment() {}

  /**
   * Logs the user in and looks; null if that fails or takes longer than ten seconds. Blocks.
   *
   * @param account the user, who must be the daemon's own where the daemon is not root
   */
  static @Nullable SequencedMap<String, String> of(PasswdEntry account)
      throws InterruptedException {
    return of(account, PATIENCE);
  }

  static @Nullable SequencedMap<String, String> of(PasswdEntry account, Duration patience)
      throws InterruptedException {
    Process process = null;
    try {
      ProcessBuilder builder = new ProcessBuilder(command(account));
      builder.directory(new File("/"));
      builder.redirectInput(new File("/dev/null"));
      builder.redirectError(new File("/dev/null"));
      builder.environment().clear();
      process = builder.start();
      InputStream output = process.getInputStream();
      CompletableFuture<byte[]> read = new CompletableFuture<>();
      Thread.ofVirtual().name("login environment").start(() -> read(output, read));
      return parse(read.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (IOException | ExecutionException | TimeoutException e) {
      return null;
    } finally {
      if (process != null) {
        ScriptProcessFile.kill(process.toHandle());
      }
    }
  }

  private static List<String> command(PasswdEntry account) {
    return CurrentProcess.effectiveUid() == 0
        ? List.of("/bin/su", "-", account.name(), "-c", SHOW)
        : List.of(account.shell().isEmpty() ? "/bin/sh" : account.shell(), "-l", "-c", SHOW);
  }

  /** Until the end mark: a process that a start file left in the background keeps the pipe open. */
  private static void read(InputStream output, CompletableFuture<byte[]> result) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try (output) {
      boolean complete = false;
      while (!complete) {
        int got = output.read(buffer);
        all.write(buffer, 0, Math.max(0, got));
        complete = got < 0 || all.size() > LARGEST || endsWithMark(all);
      }
      result.complete(all.toByteArray());
    } catch (IOException e) {
      result.completeExceptionally(e);
    }
  }

  private static boolean endsWithMark(ByteArrayOutputStream all) {
    return all.toString(StandardCharsets.ISO_8859_1).endsWith(END);
  }

  /** The variables between the marks; null if there are no marks. */
  static @Nullable SequencedMap<String, String> parse(byte[] output) {
    String text = new String(output, StandardCharsets.UTF_8);
    int begin = text.lastIndexOf(BEGIN);
    int end = text.lastIndexOf(END);
    if (begin < 0 || end < begin) {
      return null;
    }
    List<String> lines = new ArrayList<>();
    for (String line : text.substring(begin + BEGIN.length(), end).split("\0", -1)) {
      lines.add(line);
    }
    SequencedMap<String, String> variables = new LinkedHashMap<>(JobRecordReader.variables(lines));
    // They tell of the shell that was asked, not of the user.
    List.of("_", "SHLVL", "PWD", "OLDPWD").forEach(variables::remove);
    return variables;
  }
}

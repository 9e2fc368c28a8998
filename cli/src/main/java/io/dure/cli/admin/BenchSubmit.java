package io.dure.cli.admin;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.sbatch.Sbatch;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code bench-submit CONNECTIONS COUNT SBATCH-OPTION...}: submits that many jobs over that many
 * open connections, each the whole work of {@code sbatch} from its options to the acknowledgement,
 * and prints {@code CONNECTIONS COUNT SECONDS JOBS-PER-SECOND}. With {@code --print} as the first
 * option it prints each acknowledged job id on a line of its own at once, for the crash test.
 */
public final class BenchSubmit implements Command {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long RETRY_NANOS = 20_000_000;

  @Override
  public int run(CommandContext context) {
    List<String> words = context.arguments();
    if (words.size() < 3) {
      context.err().print("Usage: bench-submit CONNECTIONS COUNT [--print] SBATCH-OPTION...\n");
      return 2;
    }
    int connections = Integer.parseInt(words.get(0));
    int count = Integer.parseInt(words.get(1));
    boolean print = words.get(2).equals("--print");
    List<String> options = words.subList(print ? 3 : 2, words.size());
    AtomicInteger left = new AtomicInteger(count);
    AtomicInteger failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; i < connections; i++) {
      threads.add(
          Thread.ofPlatform()
              .name("submit-" + i)
              .start(() -> submit(context, options, print, left, failed)));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      return 1;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    if (!print) {
      context.out().printf("%d %d %.3f %.0f%n", connections, count, seconds, count / seconds);
    }
    return failed.get() == 0 ? 0 : 1;
  }

  /** Works on what is left; a broken connection is opened again for as long as the test says. */
  private static void submit(
      CommandContext context,
      List<String> options,
      boolean print,
      AtomicInteger left,
      AtomicInteger failed) {
    Instant giveUp = Instant.now().plus(PATIENCE);
    while (left.get() > 0) {
      try (ControllerConnection open = context.controller().open()) {
        while (left.decrementAndGet() >= 0) {
          if (!submitOne(context, options, print, open)) {
            left.incrementAndGet();
            break;
          }
          giveUp = Instant.now().plus(PATIENCE);
        }
      } catch (IOException e) {
        // no controller at the moment
      }
      if (!print || Instant.now().isAfter(giveUp)) {
        break;
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
    if (left.get() > 0) {
      failed.incrementAndGet();
    }
  }

  private static boolean submitOne(
      CommandContext context, List<String> options, boolean print, ControllerConnection open) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, false, StandardCharsets.UTF_8);
    int code = new Sbatch().run(child(context, options, out, open));
    out.flush();
    if (code == 0 && print) {
      printAtOnce(context, said.toString(StandardCharsets.UTF_8));
    }
    return code == 0;
  }

  private static synchronized void printAtOnce(CommandContext context, String line) {
    context.out().print(line);
    context.out().flush();
  }

  private static CommandContext child(
      CommandContext context, List<String> options, PrintStream out, ControllerConnection open) {
    return new CommandContext(
        "sbatch",
        options,
        context.environment(),
        context.directory(),
        new ByteArrayInputStream(new byte[0]),
        out,
        context.err(),
        false,
        context.caller(),
        context.clock(),
        () -> new Kept(open));
  }

  /** The open connection, which outlives each submission. */
  private record Kept(ControllerConnection open) implements ControllerConnection {
    @Override
    public Response ask(Request request) throws IOException {
      return open.ask(request);
    }

    @Override
    public Response await(Request request) throws IOException {
      return open.await(request);
    }

    @Override
    public void close() {
      // the next submission goes over it
    }
  }
}

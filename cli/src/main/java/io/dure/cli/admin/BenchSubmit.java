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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code bench-submit CONNECTIONS COUNT SBATCH-OPTION...}: submits that many jobs over that many
 * open connections, each the whole work of {@code sbatch} from its options to the acknowledgement,
 * and prints {@code CONNECTIONS COUNT SECONDS JOBS-PER-SECOND}. With {@code --print} as the first
 * option it prints each acknowledged job id on a line of its own at once, for the crash test.
 */
public final class BenchSubmit implements Command {
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

  private static void submit(
      CommandContext context,
      List<String> options,
      boolean print,
      AtomicInteger left,
      AtomicInteger failed) {
    try (ControllerConnection open = context.controller().open()) {
      Sbatch sbatch = new Sbatch();
      while (left.decrementAndGet() >= 0) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, false, StandardCharsets.UTF_8);
        int code = sbatch.run(child(context, options, out, open));
        out.flush();
        if (code != 0) {
          failed.incrementAndGet();
          return;
        }
        if (print) {
          printAtOnce(context, said.toString(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      failed.incrementAndGet();
    }
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

package io.dure.cli.admin;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.SiteMessages;
import io.dure.cli.sbatch.Sbatch;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.jobtext.JobTexts;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench-submit CONNECTIONS COUNT SBATCH-OPTION...}: submits that many jobs over that many
 * open connections, each from the request that {@code sbatch} makes of the options to the
 * acknowledgement, and prints {@code CONNECTIONS COUNT SECONDS JOBS-PER-SECOND}. With {@code
 * --print} as the first option it prints each acknowledged job id on a line of its own at once, for
 * the crash test; with {@code --text=BYTES} each job has so many bytes of environment that no other
 * job has.
 */
public final class BenchSubmit implements CliCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long RETRY_NANOS = 20_000_000;
  private static final String TEXT = "--text=";

  @Override
  public int execute(CommandContext context) {
    List<String> words = context.arguments();
    if (words.size() < 3) {
      context
          .err()
          .print("Usage: bench-submit CONNECTIONS COUNT [--print|--text=BYTES] SBATCH-OPTION...\n");
      return 2;
    }
    int connections = Integer.parseInt(words.get(0));
    int count = Integer.parseInt(words.get(1));
    boolean print = words.get(2).equals("--print");
    int textBytes = words.get(2).startsWith(TEXT) ? numberAfter(TEXT, words.get(2)) : 0;
    List<String> options = words.subList(print || textBytes > 0 ? 3 : 2, words.size());
    Request.Change request = request(context, options);
    if (request == null) {
      return 1;
    }
    Work work =
        new Work(
            context,
            request,
            print,
            textBytes,
            new AtomicInteger(count),
            new AtomicInteger(),
            new AtomicInteger(),
            new long[count],
            new AtomicInteger());
    List<Thread> threads = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; i < connections; i++) {
      threads.add(Thread.ofPlatform().name("submit-" + i).start(work::run));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      return 1;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    if (work.failed().get() > 0) {
      context.err().print("bench-submit: the controller cannot be reached or refuses the job\n");
      return 1;
    }
    if (!print) {
      Arrays.sort(work.nanos());
      context
          .out()
          .printf(
              "%d %d %.3f %.0f %.2f %.2f%n",
              connections,
              count,
              seconds,
              count / seconds,
              work.nanos()[count / 2] / 1e6,
              work.nanos()[(int) (count * 0.99)] / 1e6);
    }
    return 0;
  }

  /**
   * What all threads work on: so many submissions are left, so many have begun, and how long those
   * took that are over.
   */
  @SuppressWarnings("ArrayRecordComponent") // filled by the threads, never compared
  private record Work(
      CommandContext context,
      Request.Change request,
      boolean print,
      int textBytes,
      AtomicInteger left,
      AtomicInteger begun,
      AtomicInteger failed,
      long[] nanos,
      AtomicInteger measured) {

    /** Submits until nothing is left; in the crash test through broken connections too. */
    void run() {
      Instant giveUp = Instant.now().plus(PATIENCE);
      Request next = next();
      while (next != null) {
        try (ControllerConnection open = context.controller().open()) {
          while (next != null) {
            submit(open, next);
            giveUp = Instant.now().plus(PATIENCE);
            next = next();
          }
        } catch (IOException e) {
          if (!print || Instant.now().isAfter(giveUp)) {
            failed.incrementAndGet();
            return;
          }
          LockSupport.parkNanos(RETRY_NANOS);
        }
      }
    }

    /** The next submission under a name of its own, null if none is left. */
    private @Nullable Request next() {
      if (left.decrementAndGet() < 0) {
        return null;
      }
      String name = context.caller().requestId() + "-" + begun.incrementAndGet();
      return request.command() instanceof Command.SubmitJob(var spec, var batch, var texts, _)
          ? new Request.Change(
              new Command.SubmitJob(spec, batch, withText(texts), name), request.runAs())
          : request;
    }

    private JobTexts withText(JobTexts texts) {
      return textBytes == 0
          ? texts
          : new JobTexts(
              texts.script(), texts.environment() + "\0BENCH_TEXT=" + letters(textBytes));
    }

    private void submit(ControllerConnection open, Request submission) throws IOException {
      long began = System.nanoTime();
      Response response = SiteMessages.untold(open.ask(submission));
      if (!(response instanceof Response.Decided(Reply.Submitted(int jobId)))) {
        throw new IOException("not accepted: " + response);
      }
      nanos[measured.getAndIncrement()] = System.nanoTime() - began;
      if (print) {
        printAtOnce(context, jobId + "\n");
      }
    }
  }

  private static int numberAfter(String option, String word) {
    return Integer.parseInt(word.substring(option.length()));
  }

  private static String letters(int count) {
    byte[] letters = new byte[count];
    ThreadLocalRandom.current().nextBytes(letters);
    for (int i = 0; i < count; i++) {
      letters[i] = (byte) ('a' + (letters[i] & 15));
    }
    return new String(letters, StandardCharsets.ISO_8859_1);
  }

  /** The request that {@code sbatch} would send, or null if it says no. */
  static Request.@Nullable Change request(CommandContext context, List<String> options) {
    Listener listener = new Listener();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int code = new Sbatch().run(child(context, options, nowhere, listener));
    return code == 0 ? listener.heard : null;
  }

  private static synchronized void printAtOnce(CommandContext context, String line) {
    context.out().print(line);
    context.out().flush();
  }

  private static CommandContext child(
      CommandContext context, List<String> options, PrintStream out, ControllerConnection open) {
    return context
        .with()
        .program("sbatch")
        .arguments(options)
        .in(new ByteArrayInputStream(new byte[0]))
        .out(out)
        .terminal(false)
        .controller(() -> open)
        .build();
  }

  /** A controller that only listens. */
  private static final class Listener implements ControllerConnection {
    private Request.@Nullable Change heard;

    @Override
    public Response ask(Request request) {
      if (request instanceof Request.Change change) {
        heard = change;
      }
      return new Response.Decided(new Reply.Submitted(1));
    }

    @Override
    public Response await(Request request) {
      return ask(request);
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}

package io.dure.cli.admin;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.SiteMessages;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench-load CONNECTIONS PAUSE-MILLIS FILE SBATCH-OPTION...}: submits over that many
 * connections for as long as the file exists, with about that pause after each acknowledgement, and
 * prints {@code ID ASKED ACKNOWLEDGED} for each at once, times in microseconds since 1970. A
 * submission that is not answered is asked again under its own name, over any connection, until it
 * is: so at the end each that was begun was acknowledged. For tests that break things meanwhile.
 */
public final class BenchLoad implements CliCommand {
  private static final long RETRY_NANOS = 20_000_000;

  @Override
  public int execute(CommandContext context) {
    List<String> words = context.arguments();
    if (words.size() < 4) {
      context.err().print("Usage: bench-load CONNECTIONS PAUSE-MILLIS FILE SBATCH-OPTION...\n");
      return 2;
    }
    Request.Change request = BenchSubmit.request(context, words.subList(3, words.size()));
    if (request == null || !(request.command() instanceof Command.SubmitJob job)) {
      return 1;
    }
    Work work =
        new Work(
            context,
            job,
            request.runAs(),
            Integer.parseInt(words.get(1)),
            context.directory().resolve(words.get(2)));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(words.get(0)); i++) {
      threads.add(Thread.ofPlatform().name("load-" + i).start(new Submitting(work)));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      return 1;
    }
    return 0;
  }

  private record Work(
      CommandContext context,
      Command.SubmitJob job,
      @Nullable String runAs,
      int pauseMillis,
      Path whileThere) {

    void print(String line) {
      synchronized (this) {
        context.out().print(line);
        context.out().flush();
      }
    }
  }

  /** One connection. */
  private static final class Submitting implements Runnable {
    private final Work work;
    private @Nullable ControllerConnection open;

    Submitting(Work work) {
      this.work = work;
    }

    @Override
    public void run() {
      while (Files.exists(work.whileThere())) {
        Request request =
            new Request.Change(
                new Command.SubmitJob(
                    work.job().spec(),
                    work.job().workload(),
                    work.job().texts(),
                    UUID.randomUUID().toString()),
                work.runAs());
        long asked = micros();
        int id = submit(request);
        work.print(id + " " + asked + " " + micros() + "\n");
        LockSupport.parkNanos(
            (long) (work.pauseMillis() * 1e6 * (0.5 + ThreadLocalRandom.current().nextDouble())));
      }
      leave();
    }

    private int submit(Request request) {
      while (true) {
        try {
          ControllerConnection now = open == null ? work.context().controller().open() : open;
          open = now;
          Response response = SiteMessages.untold(now.ask(request));
          if (response instanceof Response.Decided(Reply.Submitted(int jobId))) {
            return jobId;
          }
          work.context().err().print("not accepted: " + response + "\n");
        } catch (IOException e) {
          work.context().err().print(e.getMessage() + "\n");
          leave();
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }

    private void leave() {
      ControllerConnection last = open;
      open = null;
      if (last != null) {
        last.closeQuietly();
      }
    }

    private static long micros() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
  }
}

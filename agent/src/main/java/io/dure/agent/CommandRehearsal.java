package io.dure.agent;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.host.process.IdlePriority;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Calls of {@code sbatch} that no controller hears of, on idle CPUs, while the agent is young: the
 * code that its first callers need is compiled by then.
 */
final class CommandRehearsal {
  /** Often enough that the compiler takes what each of them calls. */
  static final int TIMES = 200;

  private static final List<String> WORDS = List.of("-Q", "-o", "/dev/null", "--wrap", "true");

  private final Map<String, String> environment;
  private final Logger log;

  /** One with the variables of this process. */
  CommandRehearsal(Map<String, String> environment, Logger log) {
    this.environment = environment;
    this.log = log;
  }

  /** Begins, in a thread of its own. */
  void begin() {
    Thread.ofPlatform()
        .daemon()
        .name("rehearsal")
        .start(() -> {
          boolean _ = IdlePriority.yieldToAll();
          try {
            int _ = run();
          } catch (RuntimeException e) {
            log.info("the first commands take longer: their rehearsal failed: " + e);
          }
        });
  }

  /**
   * Makes all calls.
   *
   * @return how many succeeded
   */
  int run() {
    CliCommand sbatch = CommandRegistry.forUsers("sbatch");
    if (sbatch == null) {
      throw new IllegalStateException("there is no sbatch");
    }
    int done = 0;
    LargeListingSlots.Turn turn = new LargeListingSlots(1).turn();
    for (int i = 0; i < TIMES; i++) {
      PrintStream nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      int code =
          sbatch.run(
              new CommandContext(
                  "sbatch",
                  WORDS,
                  environment,
                  Path.of("/"),
                  InputStream.nullInputStream(),
                  nowhere,
                  nowhere,
                  false,
                  new CurrentProcessCaller(Path.of("/proc")),
                  new CallerZoneClock(null, turn),
                  Rehearsed::new));
      done += code == 0 ? 1 : 0;
    }
    return done;
  }

  /** A controller that takes all, behind the bytes of a connection. */
  private static final class Rehearsed implements ControllerConnection {
    @Override
    public Response ask(Request request) {
      byte[] _ = WireCodecs.requests().encode(request);
      byte[] answer = WireCodecs.responses().encode(new Response.Decided(new Reply.Submitted(1)));
      return WireCodecs.responses().decode(answer);
    }

    @Override
    public Response await(Request request) {
      return ask(request);
    }

    @Override
    public void close() {}
  }
}

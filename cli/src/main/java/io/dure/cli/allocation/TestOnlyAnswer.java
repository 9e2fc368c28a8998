package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.model.HostList;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;

/** What {@code --test-only} says. */
public final class TestOnlyAnswer {
  private final CommandContext context;
  private final boolean het;

  /**
   * Nothing is said yet.
   *
   * @param het whether the job has components
   */
  public TestOnlyAnswer(CommandContext context, boolean het) {
    this.context = context;
    this.het = het;
  }

  /**
   * Says when the job would start.
   *
   * @return the exit code
   * @throws CommandException if it would be refused
   */
  public int tell(Response response) throws CommandException {
    if (response instanceof Response.WouldStart start) {
      TimestampFormat stamps =
          TimestampFormat.of(context.environment(), context.clock().now(), context.clock().zone());
      context.report(
          StderrMessage.info(
              "Job "
                  + start.jobId()
                  + " to start at "
                  + stamps.format(start.start())
                  + " using "
                  + start.cpus()
                  + " processors on "
                  + (het ? "" : "nodes ")
                  + HostList.compress(start.nodes())
                  + (het ? "" : " in partition " + start.partition())));
      return 0;
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused == null) {
      throw CommandException.error("Unexpected message received");
    }
    throw new CommandException(1, ResponseCheck.details(refused))
        .and(StderrMessage.plain("allocation failure: " + refused.code().text()));
  }
}

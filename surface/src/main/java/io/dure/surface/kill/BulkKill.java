package io.dure.surface.kill;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has many jobs cancelled or signalled with as few requests as there may be. */
public final class BulkKill {
  /** Jobs that one request names. */
  private static final int MOST = Command.KillJobs.MOST_NAMED;

  private final KillPort port;
  private final KillManner manner;

  /** Does that to jobs. */
  public BulkKill(KillPort port, KillManner manner) {
    this.port = port;
    this.manner = manner;
  }

  /** Those of the jobs that were not killed, by their place in the list, in its order. */
  public List<Reply.KillFailure> named(List<JobSelector> jobs) throws IOException {
    List<Reply.KillFailure> failures = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += MOST) {
      add(failures, jobs.subList(from, Math.min(jobs.size(), from + MOST)), from);
    }
    return failures;
  }

  private void add(List<Reply.KillFailure> failures, List<JobSelector> some, int from)
      throws IOException {
    if (some.size() == 1) {
      // As it was asked for before there was a request for many, which any controller knows.
      addAll(failures, some, from, ResponseCheck.refusal(port.ask(manner.one(some.getFirst()))));
      return;
    }
    Response response = port.ask(manner.many(List.copyOf(some), null, 0));
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused != null && refused.code() == ErrorCode.BAD_INPUT) {
      // Arrays may have more records than one decision takes.
      int half = some.size() / 2;
      add(failures, some.subList(0, half), from);
      add(failures, some.subList(half, some.size()), from + half);
      return;
    }
    addAll(failures, some, from, refused);
    for (Reply.KillFailure one : killed(response).failures()) {
      failures.add(new Reply.KillFailure(from + one.place(), one.job(), one.code()));
    }
  }

  /** What is refused as a whole is refused for each. */
  private static void addAll(
      List<Reply.KillFailure> failures,
      List<JobSelector> jobs,
      int from,
      Reply.@Nullable Refused refused) {
    for (int i = 0; refused != null && i < jobs.size(); i++) {
      failures.add(new Reply.KillFailure(from + i, jobs.get(i).text(), refused.code()));
    }
  }

  /** Those of the jobs that pass which were not killed. */
  public List<Reply.KillFailure> passing(KillFilter filter) throws IOException, CommandException {
    List<Reply.KillFailure> failures = new ArrayList<>();
    int next = 0;
    do {
      Response response = port.ask(manner.many(List.of(), filter, next));
      Reply.Refused refused = ResponseCheck.refusal(response);
      if (refused != null) {
        throw CommandException.error("Kill job error: " + refused.code().text());
      }
      Reply.Killed killed = killed(response);
      failures.addAll(killed.failures());
      next = killed.next();
    } while (next > 0);
    return failures;
  }

  private static Reply.Killed killed(Response response) {
    return response instanceof Response.Decided(Reply.Killed killed)
        ? killed
        : new Reply.Killed(List.of(), 0);
  }
}

package io.dure.cli.sbatch;

import io.dure.cli.allocation.TestOnlyAnswer;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.filter.SiteFilter;
import io.dure.cli.request.SiteMessages;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ClusterNameCheck;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sends one submission to the controller and prints the outcome. */
final class JobSubmitter {

  private static final int MAX_RETRIES = 15;
  private static final Duration SOUGHT = Duration.ofSeconds(25);
  private static final int MAX_WAIT_RETRIES = 100;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(32);
  private static final String FAILED = "Batch job submission failed: ";

  private final CommandContext context;
  private final JobSubmission submission;
  private final SiteFilter filter;
  private boolean warned;

  JobSubmitter(CommandContext context, JobSubmission submission, SiteFilter filter) {
    this.context = context;
    this.filter = filter;
    this.submission = submission;
  }

  /** Does what was asked for; returns the exit code. */
  int run() throws CommandException {
    int jobId;
    try (ControllerConnection connection = context.controller().open()) {
      String cluster = checkedCluster(connection);
      if (submission.testOnly()) {
        return test(connection);
      }
      jobId = submit(connection);
      // First: a script that takes long, or is interrupted, must not cost the user the number.
      announce(jobId, cluster);
    } catch (IOException e) {
      warn(null);
      throw CommandException.error(FAILED + e.getMessage());
    }
    for (int i = 0; i < Math.max(1, submission.components().size()); i++) {
      filter.postSubmit(i, jobId + i, SiteFilter.NO_STEP);
    }
    // Its process would stay for as long as the job.
    filter.close();
    return submission.await() ? await(jobId) : 0;
  }

  /** The name of the cluster if one was asked for by name, else null. */
  private @Nullable String checkedCluster(ControllerConnection connection)
      throws IOException, CommandException {
    String asked = submission.cluster();
    if (asked == null) {
      return null;
    }
    Response response = connection.ask(new Request.ShowCluster());
    if (!(response instanceof Response.Cluster cluster)) {
      throw failure(response);
    }
    for (String name : KeywordParser.list(asked)) {
      if (name.equalsIgnoreCase("all") || name.equalsIgnoreCase(cluster.clusterName())) {
        return cluster.clusterName();
      }
    }
    throw ClusterNameCheck.unknown(asked);
  }

  private int test(ControllerConnection connection) throws IOException, CommandException {
    boolean het = !submission.components().isEmpty();
    Response told =
        connection.ask(
            het
                ? new Request.TestHetSubmit(hetJob(), submission.runAs())
                : new Request.TestSubmit(
                    submission.spec(), submission.batch(), submission.runAs()));
    warn(SiteMessages.untold(told));
    Response response = SiteMessages.told(context, told);
    return new TestOnlyAnswer(context, het).tell(response);
  }

  private Command.SubmitHetJob hetJob() {
    return new Command.SubmitHetJob(
        submission.components(), submission.texts(), context.caller().requestId());
  }

  private int submit(ControllerConnection connection) throws IOException, CommandException {
    Request request =
        new Request.Change(
            submission.components().isEmpty()
                ? new Command.SubmitJob(
                    submission.spec(),
                    submission.batch(),
                    submission.texts(),
                    context.caller().requestId())
                : hetJob(),
            submission.runAs());
    Instant began = context.clock().now();
    for (int attempt = 1; ; attempt++) {
      Response told = connection.ask(request);
      warn(SiteMessages.untold(told));
      Response response = SiteMessages.told(context, told);
      if (response instanceof Response.Decided decided
          && decided.reply() instanceof Reply.Submitted submitted) {
        return submitted.jobId();
      }
      String text = retryText(ResponseCheck.refusal(response));
      if (text == null || attempt > MAX_RETRIES || isSoughtLong(response, began)) {
        throw failure(response);
      }
      if (attempt == 1) {
        context.report(StderrMessage.error(text));
      }
      context.clock().pause(Duration.ofSeconds(attempt));
    }
  }

  /** Whether the connection has looked for a leader for its whole time: that is time enough. */
  private boolean isSoughtLong(Response response, Instant began) {
    Reply.Refused refused = ResponseCheck.refusal(response);
    return refused != null
        && refused.code() == ErrorCode.IN_STANDBY
        && Duration.between(began, context.clock().now()).compareTo(SOUGHT) > 0;
  }

  /** Of generic resources that there are not is said before any word about other options. */
  private void warn(@Nullable Response response) {
    Reply.Refused refused = response == null ? null : ResponseCheck.refusal(response);
    if (!warned && (refused == null || refused.code() != ErrorCode.INVALID_GRES)) {
      submission.warnings().forEach(context::report);
    }
    warned = true;
  }

  /** What to say before the next attempt, or null if another attempt would not help. */
  private static @Nullable String retryText(Reply.@Nullable Refused refused) {
    return switch (refused == null ? null : refused.code()) {
      case MAX_JOB_COUNT -> "Slurm job queue full, sleeping and retrying";
      case IN_STANDBY, RATE_LIMITED ->
          "Slurm temporarily unable to accept job, sleeping and retrying";
      case null, default -> null;
    };
  }

  private void announce(int jobId, @Nullable String cluster) {
    StringBuilder line = new StringBuilder();
    if (submission.parsable()) {
      line.append(jobId);
      if (cluster != null) {
        line.append(';').append(cluster);
      }
    } else if (submission.quiet()) {
      return;
    } else {
      line.append("Submitted batch job ").append(jobId);
      if (cluster != null) {
        line.append(" on cluster ").append(cluster);
      }
    }
    context.out().print(line.append('\n'));
    // The number is what a waiting script needs, long before this program ends.
    context.out().flush();
  }

  /** Waits for the job's end, over restarts of the controller. */
  private int await(int jobId) throws CommandException {
    Duration pause = Duration.ofSeconds(2);
    String trouble = "";
    for (int attempt = 0; attempt < MAX_WAIT_RETRIES; attempt++) {
      try (ControllerConnection connection = context.controller().open()) {
        Response response;
        do {
          response = connection.await(new Request.WaitJob(jobId));
        } while (response instanceof Response.StillWaiting);
        if (response instanceof Response.Ended ended) {
          return exitCode(ended.exit());
        }
        Reply.Refused refused = ResponseCheck.refusal(response);
        ErrorCode code = refused == null ? null : refused.code();
        trouble = code == null ? "Unexpected message received" : code.text();
        if (code != ErrorCode.RATE_LIMITED && code != ErrorCode.IN_STANDBY) {
          break;
        }
      } catch (IOException e) {
        trouble = String.valueOf(e.getMessage());
      }
      context.clock().pause(pause);
      Duration longer = pause.multipliedBy(4);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
    throw CommandException.error("Unable to wait for job " + jobId + ": " + trouble);
  }

  private static int exitCode(ExitStatus exit) {
    return exit.signal() != 0 ? 1 : exit.code();
  }

  private static CommandException failure(Response response) {
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused == null) {
      return unexpected();
    }
    // Slurm's sbatch itself knows which generic resources there are.
    String prefix = refused.code() == ErrorCode.INVALID_GRES ? "" : FAILED;
    return new CommandException(1, ResponseCheck.details(refused))
        .and(StderrMessage.error(prefix + refused.code().text()));
  }

  private static CommandException unexpected() {
    return CommandException.error(FAILED + "Unexpected message received");
  }
}

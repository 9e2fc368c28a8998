package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks for an allocation and waits until the job has it. */
public final class AllocationRequest {
  /** An allocation that takes longer is announced. */
  private static final int SOON_MILLIS = 300;

  private static final int LONG_MILLIS = 20_000;

  private final CommandContext context;
  private final ControllerConnection connection;
  private final boolean quiet;

  /** A request over that connection; {@code quiet} says nothing but errors. */
  public AllocationRequest(CommandContext context, ControllerConnection connection, boolean quiet) {
    this.context = context;
    this.connection = connection;
    this.quiet = quiet;
  }

  /**
   * Submits the job and waits.
   *
   * @param step the step that begins with it and ends it, null for none
   * @return the job in state Running
   * @throws CommandException if it is refused, or ends before it has resources
   */
  public Job submit(JobSpec spec, @Nullable StepSpec step) throws IOException, CommandException {
    Workload allocation =
        new Workload.InteractiveAllocation(
            context.directory().toString(),
            submitLine(),
            context.caller().hostName(),
            context.caller().sessionId(),
            step);
    Response response =
        connection.ask(
            new Request.Change(
                new Command.SubmitJob(
                    spec, allocation, JobTexts.NONE, context.caller().requestId()),
                null));
    if (!(response instanceof Response.Decided decided
        && decided.reply() instanceof Reply.Submitted submitted)) {
      throw refused(response);
    }
    boolean started = false;
    try {
      Job job = await(submitted.jobId());
      started = true;
      return job;
    } finally {
      if (!started) {
        finish(
            context,
            new Command.KillJob(new JobSelector(submitted.jobId(), null), null, false, false));
      }
    }
  }

  private Job await(int jobId) throws IOException, CommandException {
    Response response = connection.await(new Request.AwaitStart(jobId, SOON_MILLIS));
    boolean told = false;
    while (response instanceof Response.StillWaiting) {
      if (!told) {
        told = true;
        pending(jobId);
      }
      response = connection.await(new Request.AwaitStart(jobId, LONG_MILLIS));
    }
    if (!(response instanceof Response.StartedJob(Job job))) {
      throw refused(response);
    }
    if (!(job.state() instanceof JobState.Running)) {
      throw CommandException.error("Job allocation " + jobId + " has been revoked");
    }
    if (told) {
      info("job " + jobId + " has been allocated resources");
    }
    return job;
  }

  private void pending(int jobId) {
    if (context.program().equals("salloc")) {
      info("Pending job allocation " + jobId);
    }
    info("job " + jobId + " queued and waiting for resources");
  }

  private void info(String text) {
    if (!quiet) {
      context.report(StderrMessage.info(text));
    }
  }

  private CommandException refused(Response response) {
    Reply.Refused refused = ResponseCheck.refusal(response);
    String text = refused == null ? "Unexpected message received" : refused.code().text();
    String what =
        context.program().equals("salloc")
            ? "Job submit/allocate failed: "
            : "Unable to allocate resources: ";
    return CommandException.error(what + text);
  }

  private String submitLine() {
    StringBuilder line = new StringBuilder(context.program());
    for (String argument : context.arguments()) {
      line.append(' ').append(argument);
    }
    return line.toString();
  }

  /** Has something ended that nobody will use, whether or not the caller is still there. */
  public static void finish(CommandContext context, Command.UserCommand command) {
    boolean interrupted = Thread.interrupted();
    try (ControllerConnection last =
        interrupted ? context.controller().openToFinish() : context.controller().open()) {
      last.ask(new Request.Change(command, null));
    } catch (IOException e) {
      context.report(StderrMessage.error("not ended, end it by scancel: " + e.getMessage()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

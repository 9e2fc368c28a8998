package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
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
import io.dure.surface.value.NumberParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks for an allocation and waits until the job has it. */
public final class AllocationRequest {
  /** How {@code srun} begins to say that it gets no allocation. */
  public static final String REFUSED = "Unable to allocate resources: ";

  /** An allocation that takes longer is announced. */
  private static final int SOON_MILLIS = 300;

  private static final int LONG_MILLIS = 20_000;

  private final CommandContext context;
  private final ControllerConnection connection;
  private final boolean quiet;
  private final @Nullable Integer longestSeconds;

  /**
   * A request over that connection.
   *
   * @param quiet whether nothing but errors is said
   * @param longestSeconds how long the caller waits for resources, 0 for not at all; null for as
   *     long as it takes
   */
  public AllocationRequest(
      CommandContext context,
      ControllerConnection connection,
      boolean quiet,
      @Nullable Integer longestSeconds) {
    this.context = context;
    this.connection = connection;
    this.quiet = quiet;
    this.longestSeconds = longestSeconds;
  }

  /** How long {@code --immediate} waits; null if it was not given. */
  public static @Nullable Integer longestSeconds(boolean given, @Nullable String seconds) {
    return given ? (Integer) (int) NumberParser.leading(seconds == null ? "0" : seconds) : null;
  }

  /**
   * The job, or a component of it.
   *
   * @param step the step that begins with it and ends it, null for none
   */
  public record Part(JobSpec spec, @Nullable StepSpec step) {}

  /**
   * Submits the job and waits.
   *
   * @param parts its components; one for a job that is not heterogeneous
   * @return the job in state Running, or its components
   * @throws CommandException if it is refused, or ends before it has resources
   */
  public List<Job> submit(List<Part> parts) throws IOException, CommandException {
    List<Command.Component> components = new ArrayList<>();
    for (Part part : parts) {
      Workload allocation =
          new Workload.InteractiveAllocation(
              context.directory().toString(),
              submitLine(),
              context.caller().hostName(),
              context.caller().sessionId(),
              part.step());
      components.add(new Command.Component(part.spec(), allocation));
    }
    String request = context.caller().requestId();
    Command.Component only = components.getFirst();
    Command.UserCommand submission =
        components.size() == 1
            ? new Command.SubmitJob(only.spec(), only.workload(), JobTexts.NONE, request)
            : new Command.SubmitHetJob(List.copyOf(components), JobTexts.NONE, request);
    Response response = connection.ask(new Request.Change(submission, null));
    if (!(response instanceof Response.Decided decided
        && decided.reply() instanceof Reply.Submitted submitted)) {
      throw refused(response);
    }
    boolean started = false;
    try {
      List<Job> jobs = new ArrayList<>();
      jobs.add(await(submitted.jobId(), parts.size() > 1));
      while (jobs.size() < parts.size()) {
        int next = submitted.jobId() + jobs.size();
        Response also = connection.await(new Request.AwaitStart(next, SOON_MILLIS));
        if (!(also instanceof Response.StartedJob(Job job))) {
          throw refused(also);
        }
        jobs.add(job);
      }
      started = true;
      return List.copyOf(jobs);
    } finally {
      if (!started) {
        finish(
            context,
            new Command.KillJob(new JobSelector(submitted.jobId(), null), null, false, false));
        if (context.program().equals("salloc")) {
          info("Job allocation " + submitted.jobId() + " has been revoked.");
        }
      }
    }
  }

  private CommandException revoked(int jobId) {
    if (context.program().equals("salloc")) {
      return CommandException.error("Job allocation " + jobId + " has been revoked");
    }
    return new CommandException(
        1,
        List.of(
            StderrMessage.info("Job has been cancelled"),
            StderrMessage.error(REFUSED + ErrorCode.ALREADY_DONE.text())));
  }

  /** As in Slurm a job of several components is always said to have been queued. */
  private Job await(int jobId, boolean isHet) throws IOException, CommandException {
    boolean told = isHet;
    if (isHet) {
      pending(jobId);
    }
    Response response = connection.await(new Request.AwaitStart(jobId, SOON_MILLIS));
    long waited = SOON_MILLIS;
    while (response instanceof Response.StillWaiting waiting) {
      if (longestSeconds != null && waited >= 1000L * longestSeconds) {
        throw CommandException.error(REFUSED + ErrorCode.NODES_BUSY.text());
      }
      if (!told && longestSeconds == null) {
        told = true;
        if (waiting.reason() != null && waiting.reason().startsWith("Partition")) {
          info("Requested partition configuration not available now");
        }
        pending(jobId);
      }
      int next = longestSeconds == null ? LONG_MILLIS : SOON_MILLIS;
      response = connection.await(new Request.AwaitStart(jobId, next));
      waited += next;
    }
    if (!(response instanceof Response.StartedJob(Job job))) {
      throw refused(response);
    }
    if (!(job.state() instanceof JobState.Running)) {
      throw revoked(jobId);
    }
    if (told) {
      context.caller().sayOnSignal("");
      info("job " + jobId + " has been allocated resources");
    }
    return job;
  }

  private void pending(int jobId) throws IOException {
    boolean alone = context.program().equals("salloc");
    String revoked = context.program() + ": Job allocation " + jobId + " has been revoked";
    context
        .caller()
        .sayOnSignal(
            alone
                ? "salloc: Job aborted due to signal\n" + revoked + ".\n"
                : context.program() + ": Force Terminated JobId=" + jobId + "\n" + revoked + "\n");
    if (alone) {
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
    if (refused == null) {
      return CommandException.error(what() + "Unexpected message received");
    }
    List<StderrMessage> messages = new ArrayList<>(ResponseCheck.details(refused));
    String text = refused.code().text();
    messages.add(
        StderrMessage.error(refused.code() == ErrorCode.INVALID_GRES ? text : what() + text));
    return new CommandException(1, messages);
  }

  private String what() {
    return context.program().equals("salloc") ? "Job submit/allocate failed: " : REFUSED;
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
    try (ControllerConnection last = context.controller().openToFinish()) {
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

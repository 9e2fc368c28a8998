package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.SiteMessages;
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

  /** How {@code salloc} does. */
  public static final String NOT_ALLOCATED = "Job submit/allocate failed: ";

  /** An allocation that takes longer is announced. */
  private static final int SOON_MILLIS = 300;

  private static final int LONG_MILLIS = 20_000;

  /** A wait of which the scheduler has said no reason until then is announced all the same. */
  private static final int UNEXPLAINED_MILLIS = 3_000;

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
   * What was allocated.
   *
   * @param jobs the job in state Running, or its components
   * @param interactive options of the {@code srun} that is its shell, null for none
   */
  public record Granted(List<Job> jobs, String clusterName, @Nullable String interactive) {}

  /**
   * Submits the job and waits.
   *
   * @param parts its components; one for a job that is not heterogeneous
   * @throws CommandException if it is refused, or ends before it has resources
   */
  public Granted submit(List<Part> parts) throws IOException, CommandException {
    Request.Change submission = submission(parts);
    boolean isHet = parts.size() > 1;
    Response response;
    try {
      response =
          isHet
              ? connection.ask(submission)
              : connection.await(new Request.Allocate(submission, SOON_MILLIS));
      response = SiteMessages.told(context, response);
    } finally {
      if (Thread.currentThread().isInterrupted()) {
        revokeUnknown(submission);
      }
    }
    int jobId = jobId(response);
    boolean started = false;
    try {
      Response.StartedJob first = await(jobId, response, isHet);
      List<Job> jobs = new ArrayList<>();
      jobs.add(first.job());
      while (jobs.size() < parts.size()) {
        Response also = connection.await(new Request.AwaitStart(jobId + jobs.size(), SOON_MILLIS));
        if (!(also instanceof Response.StartedJob next)) {
          throw refused(also);
        }
        jobs.add(next.job());
      }
      started = true;
      return new Granted(List.copyOf(jobs), first.clusterName(), first.interactive());
    } finally {
      if (!started) {
        finish(context, kill(jobId));
        if (context.program().equals("salloc")) {
          info("Job allocation " + jobId + " has been revoked.");
        }
      }
    }
  }

  /** Says when the job would start instead ({@code --test-only}); returns the exit code. */
  public int test(List<Part> parts) throws IOException, CommandException {
    Request request =
        switch (submission(parts).command()) {
          case Command.SubmitHetJob het -> new Request.TestHetSubmit(het, null);
          case Command.SubmitJob job -> new Request.TestSubmit(job.spec(), job.workload(), null);
          case Command other -> throw new IllegalStateException("no submission: " + other);
        };
    return new TestOnlyAnswer(context, parts.size() > 1)
        .tell(SiteMessages.told(context, connection.ask(request)));
  }

  private Request.Change submission(List<Part> parts) {
    List<Command.Component> components = new ArrayList<>();
    for (Part part : parts) {
      Workload allocation =
          new Workload.InteractiveAllocation(
              context.directory().toString(),
              context.submitLine(),
              context.caller().hostName(),
              context.caller().sessionId(),
              part.step());
      components.add(new Command.Component(part.spec(), allocation));
    }
    String request = context.caller().requestId();
    Command.Component only = components.getFirst();
    return new Request.Change(
        components.size() == 1
            ? new Command.SubmitJob(only.spec(), only.workload(), JobTexts.NONE, request)
            : new Command.SubmitHetJob(List.copyOf(components), JobTexts.NONE, request),
        null);
  }

  /** The number of the job that was submitted. */
  private int jobId(Response response) throws CommandException {
    if (response instanceof Response.StartedJob started) {
      return started.job().id();
    }
    if (response instanceof Response.Decided decided
        && decided.reply() instanceof Reply.Submitted submitted) {
      return submitted.jobId();
    }
    throw refused(response);
  }

  /** Ends a job whose number never came: asked for again by its name it is told again. */
  private void revokeUnknown(Request.Change submission) {
    finish(
        context,
        last -> {
          if (SiteMessages.untold(last.ask(submission)) instanceof Response.Decided decided
              && decided.reply() instanceof Reply.Submitted submitted) {
            last.ask(named(context, kill(submitted.jobId())));
          }
        });
  }

  private static Command.KillJob kill(int jobId) {
    return new Command.KillJob(new JobSelector(jobId, null), null, false, false);
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

  /**
   * As in Slurm a job of several components is always said to have been queued.
   *
   * @param first the answer to the submission, which has waited for one that is not heterogeneous
   */
  private Response.StartedJob await(int jobId, Response first, boolean isHet)
      throws IOException, CommandException {
    boolean told = isHet;
    if (isHet) {
      pending(jobId);
    }
    Response response =
        first instanceof Response.StartedJob
            ? first
            : connection.await(new Request.AwaitStart(jobId, isHet ? SOON_MILLIS : 0));
    long waited = SOON_MILLIS;
    while (response instanceof Response.StillWaiting waiting) {
      if (longestSeconds != null && waited >= 1000L * longestSeconds) {
        throw FailureCode.ofImmediate(
            context.environment(), CommandException.error(REFUSED + ErrorCode.NODES_BUSY.text()));
      }
      // Without a reason no scheduling pass may have looked at the job yet.
      boolean announced = waiting.reason() != null || waited >= UNEXPLAINED_MILLIS;
      if (!told && announced && longestSeconds == null) {
        told = true;
        if (waiting.reason() != null && waiting.reason().startsWith("Partition")) {
          info("Requested partition configuration not available now");
        }
        pending(jobId);
      }
      int next = told && longestSeconds == null ? LONG_MILLIS : SOON_MILLIS;
      response = connection.await(new Request.AwaitStart(jobId, next));
      waited += next;
    }
    if (!(response instanceof Response.StartedJob started)) {
      throw refused(response);
    }
    if (!(started.job().state() instanceof JobState.Running)) {
      throw revoked(jobId);
    }
    if (told) {
      context.caller().sayOnSignal("");
      info("job " + jobId + " has been allocated resources");
    }
    return started;
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
    return context.program().equals("salloc") ? NOT_ALLOCATED : REFUSED;
  }

  private interface LastRequests {
    void over(ControllerConnection last) throws IOException;
  }

  /** Has something ended that nobody will use, whether or not the caller is still there. */
  public static void finish(CommandContext context, Command.UserCommand command) {
    finish(context, last -> last.ask(named(context, command)));
  }

  private static void finish(CommandContext context, LastRequests requests) {
    boolean interrupted = Thread.interrupted();
    try (ControllerConnection last = context.controller().openToFinish()) {
      requests.over(last);
    } catch (IOException e) {
      context.report(StderrMessage.error("not ended, end it by scancel: " + e.getMessage()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Each is asked for once in a call, so its name has to differ only from those of others. */
  private static Request.Change named(CommandContext context, Command.UserCommand command) {
    return new ChangeIdGenerator(context.caller()).named(command, null);
  }
}

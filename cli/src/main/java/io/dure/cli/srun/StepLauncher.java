package io.dure.cli.srun;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.allocation.DisplayForwarding;
import io.dure.cli.allocation.FailureCode;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gets a step from the controller and has the calling process run it. */
final class StepLauncher {
  /** An allocation that takes longer is announced. */
  private static final int SOON_MILLIS = 300;

  private static final int LONG_MILLIS = 20_000;

  /** A step that waits for longer says so before it begins. */
  private static final int UNTOLD_MILLIS = 2_000;

  /** Digits of a request's id in which those of components differ; they have numbers below 128. */
  private static final int LAST_DIGITS = 4;

  private final CommandContext context;
  private final List<StepCall> calls;
  private final SiteFilter filter;
  private final SrunSettings settings;
  private final @Nullable DisplayForwarding displays;

  StepLauncher(
      CommandContext context,
      List<StepCall> calls,
      @Nullable DisplayForwarding displays,
      SiteFilter filter) {
    this.context = context;
    this.filter = filter;
    this.calls = calls;
    this.displays = displays;
    this.settings = calls.getFirst().settings();
  }

  /** Runs the step in a job that exists; its components have the ids behind its own. */
  int inJob(ControllerConnection connection, int jobId) throws IOException, CommandException {
    List<JobStep> steps = new ArrayList<>();
    boolean all = false;
    try {
      for (StepCall call : calls) {
        int component = jobId + call.group();
        steps.add(new JobStep(component, create(connection, component, call)));
      }
      all = true;
    } finally {
      if (!all) {
        steps.forEach(this::kill);
      }
    }
    return run(connection, steps, false);
  }

  /** Each component is asked for once, whatever is sent again. */
  private String requestId(int group) {
    String id = context.caller().requestId();
    int split = id.length() - LAST_DIGITS;
    int last = Integer.parseInt(id.substring(split), 16) ^ group;
    return id.substring(0, split) + "%04x".formatted(last);
  }

  private void kill(JobStep step) {
    AllocationRequest.finish(context, new Command.KillStep(step.jobId(), step.number(), null));
  }

  private int create(ControllerConnection connection, int jobId, StepCall call)
      throws IOException, CommandException {
    StepSpec spec = call.spec();
    Request create =
        new Request.Change(new Command.CreateStep(jobId, spec), null, requestId(call.group()));
    RoomWait wait = new RoomWait(jobId, spec);
    while (true) {
      Response response = connection.ask(create);
      if (response instanceof Response.Decided decided
          && decided.reply() instanceof Reply.StepCreated created) {
        wait.over(created.step());
        return created.step();
      }
      Reply.Refused refused = ResponseCheck.refusal(response);
      if (refused == null || !passes(refused.code())) {
        throw noStep(jobId, refused);
      }
      wait.until(connection, refused);
    }
  }

  /** Whether a step that is refused for that may begin later, while its job lasts. */
  private static boolean passes(ErrorCode code) {
    return code == ErrorCode.NODES_BUSY || code == ErrorCode.JOB_SUSPENDED;
  }

  /** The wait of a step for room in its job, or until its job goes on. */
  private final class RoomWait {
    private final int jobId;
    private final StepSpec spec;
    private String reason = "";
    private boolean waits;
    private boolean told;
    private int waitedMillis;

    RoomWait(int jobId, StepSpec spec) {
      this.jobId = jobId;
      this.spec = spec;
    }

    /** Waits until there may be room. As in Slurm a wait of some seconds is told at its end. */
    void until(ControllerConnection connection, Reply.Refused refused)
        throws IOException, CommandException {
      reason = refused.code().text();
      // A step before this one that is about to be over is no reason to say anything.
      Response room = connection.await(new Request.AwaitStepRoom(jobId, spec, SOON_MILLIS));
      Integer longest = longestSeconds();
      if (longest != null) {
        untilLate(connection, refused, room, longest);
        return;
      }
      while (room instanceof Response.StillWaiting) {
        if (waits && !told) {
          tell();
        }
        int millis = waits ? LONG_MILLIS : UNTOLD_MILLIS;
        if (!waits) {
          waits = true;
          context
              .caller()
              .sayOnSignal(
                  "srun: Cancelled pending job step with signal %d\n"
                      + "srun: error: Unable to create step for job "
                      + jobId
                      + ": "
                      + ErrorCode.ALREADY_DONE.text()
                      + "\n");
        }
        room = connection.await(new Request.AwaitStepRoom(jobId, spec, millis));
      }
    }

    /** As above, but for so many seconds at most. */
    private void untilLate(
        ControllerConnection connection, Reply.Refused refused, Response first, int longestSeconds)
        throws IOException, CommandException {
      waitedMillis += SOON_MILLIS; // or a little less, where there was room
      Response room = first;
      while (room instanceof Response.StillWaiting) {
        long left = 1000L * longestSeconds - waitedMillis;
        if (left <= 0) {
          throw FailureCode.ofImmediate(context.environment(), noStep(jobId, refused));
        }
        int millis = (int) Math.min(left, UNTOLD_MILLIS);
        room = connection.await(new Request.AwaitStepRoom(jobId, spec, millis));
        waitedMillis += millis;
      }
    }

    private void tell() {
      told = true;
      info("Job " + jobId + " step creation temporarily disabled, retrying (" + reason + ")");
    }

    /** The step is there. */
    void over(int step) throws IOException {
      if (!waits) {
        return;
      }
      if (!told) {
        tell();
      }
      context.caller().sayOnSignal("");
      info("Step created for StepId=" + jobId + "." + step);
    }
  }

  private static CommandException noStep(int jobId, Reply.@Nullable Refused refused) {
    ErrorCode code = refused == null ? null : refused.code();
    if (code == ErrorCode.INVALID_JOB_ID || code == ErrorCode.JOB_PENDING) {
      return CommandException.error(
              "Unable to confirm allocation for job " + jobId + ": " + text(refused))
          .and(expired(jobId));
    }
    if (code == ErrorCode.ALREADY_DONE) {
      return CommandException.error("Slurm job " + jobId + " has expired").and(expired(jobId));
    }
    List<StderrMessage> messages = new ArrayList<>();
    if (refused != null && !refused.detail().isEmpty()) {
      messages.addAll(ResponseCheck.details(refused));
      if (code != ErrorCode.INVALID_GRES) {
        return new CommandException(1, messages);
      }
    }
    messages.add(
        StderrMessage.error("Unable to create step for job " + jobId + ": " + text(refused)));
    return new CommandException(1, messages);
  }

  private static StderrMessage expired(int jobId) {
    return StderrMessage.info(
        "Check SLURM_JOB_ID environment variable. Expired or invalid job " + jobId);
  }

  /** How long {@code --immediate} waits; null if it was not given. */
  private @Nullable Integer longestSeconds() {
    return AllocationRequest.longestSeconds(
        settings.has(SrunOption.IMMEDIATE), settings.value(SrunOption.IMMEDIATE));
  }

  private static String text(Reply.@Nullable Refused refused) {
    return refused == null ? "Unexpected message received" : refused.code().text();
  }

  private void info(String text) {
    if (!settings.has(SrunOption.QUIET)) {
      context.report(StderrMessage.info(text));
    }
  }

  /** Runs the step in a job of its own, which ends with it. */
  int inNewJob(ControllerConnection connection, List<JobSpec> specs)
      throws IOException, CommandException {
    boolean quiet = settings.has(SrunOption.QUIET);
    Integer longest = longestSeconds();
    List<AllocationRequest.Part> parts = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      parts.add(new AllocationRequest.Part(specs.get(i), calls.get(i).spec()));
    }
    AllocationRequest request = new AllocationRequest(context, connection, quiet, longest);
    if (settings.has(SrunOption.TEST_ONLY)) {
      return request.test(parts);
    }
    Job job = request.submit(parts).jobs().getFirst();
    List<JobStep> steps = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      steps.add(new JobStep(job.id() + i, 0));
    }
    return run(connection, steps, true);
  }

  /**
   * Runs the step.
   *
   * @param alone whether its job is there for it alone
   */
  private int run(ControllerConnection connection, List<JobStep> steps, boolean alone)
      throws IOException, CommandException {
    for (int i = 0; i < steps.size(); i++) {
      filter.postSubmit(i, steps.get(i).jobId(), steps.get(i).number());
    }
    filter.close(); // the step may take days
    boolean launched = false;
    FrontEndOrder.Part first;
    int code;
    try {
      List<FrontEndOrder.Part> parts = prepared(connection, steps);
      if (settings.shared().verbosity() > 0) {
        parts.forEach(this::tellLayout);
      }
      StepFrontEnd frontEnd = new FrontEndOrder(context, parts).order();
      if (displays != null) {
        for (FrontEndOrder.Part part : parts) {
          Integer number = alone ? null : (Integer) part.step().number();
          displays.open(part.step().jobId(), number, part.launch().nodes());
        }
      }
      StepFrontEnd.Outcome outcome = context.caller().runStep(frontEnd);
      launched = !outcome.launchFailed();
      first = parts.getFirst();
      code = outcome.code();
    } finally {
      if (!launched) {
        steps.forEach(this::kill);
        if (alone) {
          // A node that does not hear of the step's end now will hear of the job's.
          int jobId = steps.getFirst().jobId();
          AllocationRequest.finish(
              context, new Command.CompleteAllocation(jobId, new ExitStatus(1, 0)));
        }
      }
    }
    SrunScript script = new SrunScript(context, first);
    String epilog = script.epilog();
    if (epilog != null) {
      script.run(epilog);
    }
    return code;
  }

  /** The steps, ready to be launched: {@code srun}'s prolog has run. */
  private List<FrontEndOrder.Part> prepared(ControllerConnection connection, List<JobStep> steps)
      throws IOException, CommandException {
    List<StepCall> sent = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      sent.add(ProgramBroadcast.sent(context, steps.get(i), calls.get(i)));
    }
    List<FrontEndOrder.Part> parts = withCredentials(connection, steps, sent);
    SrunScript script = new SrunScript(context, parts.getFirst());
    String prolog = script.prolog();
    if (prolog == null) {
      return parts;
    }
    // The launch takes signals itself; what comes before it, after the prolog, ends this.
    context
        .caller()
        .sayOnSignal("srun: error: StepId=" + steps.getFirst() + " cancelled by signal %d\n");
    int signal = script.run(prolog);
    if (signal != 0) {
      throw CommandException.error(
          "StepId=" + steps.getFirst() + " cancelled by signal " + signal + " during " + prolog);
    }
    // A credential may have expired while the prolog ran.
    return withCredentials(connection, steps, sent);
  }

  /** Asked together, so that none ages while the program of another component is sent. */
  private List<FrontEndOrder.Part> withCredentials(
      ControllerConnection connection, List<JobStep> steps, List<StepCall> sent)
      throws IOException, CommandException {
    List<FrontEndOrder.Part> parts = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      JobStep step = steps.get(i);
      parts.add(new FrontEndOrder.Part(step, launch(connection, step), sent.get(i)));
    }
    return parts;
  }

  private void tellLayout(FrontEndOrder.Part part) {
    for (StepShare share : part.launch().step().shares()) {
      info(
          "launching StepId="
              + part.step()
              + " on host "
              + share.node()
              + ", "
              + share.ranks().size()
              + " tasks: "
              + GresShare.ranges(share.ranks()));
    }
  }

  private Response.StepLaunch launch(ControllerConnection connection, JobStep step)
      throws IOException, CommandException {
    Response response = connection.ask(new Request.LaunchStep(step.jobId(), step.number()));
    if (response instanceof Response.StepLaunch launch) {
      return launch;
    }
    throw CommandException.error(
        "Unable to launch step " + step + ": " + text(ResponseCheck.refusal(response)));
  }
}

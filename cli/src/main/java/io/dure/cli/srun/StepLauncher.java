package io.dure.cli.srun;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.StepFrontEnd;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gets a step from the controller and has the calling process run it. */
final class StepLauncher {
  /** An allocation that takes longer is announced. */
  private static final int SOON_MILLIS = 300;

  private static final int LONG_MILLIS = 20_000;

  private final CommandContext context;
  private final SrunSettings settings;
  private final StepProgram program;
  private final MpiService mpi;

  StepLauncher(CommandContext context, SrunSettings settings, StepProgram program, MpiService mpi) {
    this.context = context;
    this.settings = settings;
    this.program = program;
    this.mpi = mpi;
  }

  /** Runs the step in a job that exists. */
  int inJob(ControllerConnection connection, int jobId, StepSpec spec)
      throws IOException, CommandException {
    Request create =
        new Request.Change(new Command.CreateStep(jobId, spec), null, context.caller().requestId());
    boolean told = false;
    while (true) {
      Response response = connection.ask(create);
      if (response instanceof Response.Decided decided
          && decided.reply() instanceof Reply.StepCreated created) {
        if (told) {
          info("Step created for StepId=" + jobId + "." + created.step());
        }
        return run(connection, jobId, created.step());
      }
      Reply.Refused refused = ResponseCheck.refusal(response);
      if (refused == null || refused.code() != ErrorCode.NODES_BUSY) {
        throw noStep(jobId, refused);
      }
      Response room = connection.await(new Request.AwaitStepRoom(jobId, spec, SOON_MILLIS));
      while (room instanceof Response.StillWaiting) {
        // A step before this one that is about to be over is no reason to say anything.
        if (isImmediate()) {
          throw noStep(jobId, refused);
        }
        if (!told) {
          told = true;
          info(
              "Job "
                  + jobId
                  + " step creation temporarily disabled, retrying ("
                  + text(refused)
                  + ")");
        }
        room = connection.await(new Request.AwaitStepRoom(jobId, spec, LONG_MILLIS));
      }
    }
  }

  private static CommandException noStep(int jobId, Reply.@Nullable Refused refused) {
    return CommandException.error("Unable to create step for job " + jobId + ": " + text(refused));
  }

  private boolean isImmediate() {
    return settings.has(SrunOption.IMMEDIATE);
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
  int inNewJob(ControllerConnection connection, JobSpec spec, StepSpec step)
      throws IOException, CommandException {
    boolean quiet = settings.has(SrunOption.QUIET);
    Job job = new AllocationRequest(context, connection, quiet).submit(spec, step);
    return run(connection, job.id(), 0);
  }

  private int run(ControllerConnection connection, int jobId, int step)
      throws IOException, CommandException {
    Response response = connection.ask(new Request.LaunchStep(jobId, step));
    if (!(response instanceof Response.StepLaunch launch)) {
      throw CommandException.error(
          "Unable to launch step "
              + jobId
              + "."
              + step
              + ": "
              + text(ResponseCheck.refusal(response)));
    }
    StepFrontEnd frontEnd = new FrontEndOrder(context, settings, program, mpi).of(jobId, launch);
    boolean launched = false;
    try {
      StepFrontEnd.Outcome outcome = context.caller().runStep(frontEnd);
      launched = !outcome.launchFailed();
      return outcome.code();
    } finally {
      if (!launched) {
        AllocationRequest.finish(context, new Command.KillStep(jobId, step, null));
      }
    }
  }
}

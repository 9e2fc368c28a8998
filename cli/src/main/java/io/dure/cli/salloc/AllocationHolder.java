package io.dure.cli.salloc;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.allocation.DisplayForwarding;
import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Holds an allocation while a command runs in it. */
final class AllocationHolder {
  private static final int HANGUP = 1;
  private static final int INTERRUPT = 2;
  private static final int QUIT = 3;
  private static final int KILL = 9;

  private final CommandContext context;
  private final Job job;
  private final boolean quiet;
  private final AtomicBoolean revoked = new AtomicBoolean();
  private volatile boolean over;

  AllocationHolder(CommandContext context, Job job, boolean quiet) {
    this.context = context;
    this.job = job;
    this.quiet = quiet;
  }

  /** Says something, unless nothing but errors is wanted. */
  void say(String text) {
    if (!quiet) {
      context.report(StderrMessage.info(text));
    }
  }

  /**
   * Makes displays on the nodes of the job's components.
   *
   * @throws CommandException if that is not possible; the allocation is given back then
   */
  void open(DisplayForwarding displays, List<Job> jobs) throws CommandException {
    boolean opened = false;
    try (ControllerConnection connection = context.controller().open()) {
      for (Job component : jobs) {
        displays.open(component.id(), null, places(connection, component));
      }
      opened = true;
    } catch (IOException e) {
      throw CommandException.error("X11 forwarding: " + e.getMessage());
    } finally {
      if (!opened) {
        relinquish(new ExitStatus(1, 0));
      }
    }
  }

  /** Where the job's nodes are, in their order. */
  private static List<Response.StepNode> places(ControllerConnection connection, Job job)
      throws IOException {
    Allocation allocation = job.state().allocated();
    List<String> names = allocation == null ? List.of() : allocation.nodes();
    List<Response.StepNode> places = new ArrayList<>();
    if (connection.ask(new Request.LocateNodes(names)) instanceof Response.NodePlaces found) {
      places.addAll(found.nodes());
      places.sort(Comparator.comparingInt(node -> names.indexOf(node.name())));
    }
    return places;
  }

  /**
   * Runs the command and gives the allocation back.
   *
   * @param killSignal what the command gets when the allocation is lost, 0 for nothing
   * @return the exit code of the call
   */
  int run(List<String> command, List<String> environment, Path directory, int killSignal) {
    CallerProgram.Outcome outcome;
    try {
      outcome =
          context
              .caller()
              .runProgram(
                  new CallerProgram(
                      command,
                      environment,
                      directory.toString(),
                      signal -> goesOn(signal, killSignal)));
    } catch (IOException e) {
      // The calling process is gone, killed most likely: the allocation stays, as in Slurm.
      return 1;
    } finally {
      over = true;
    }
    return switch (outcome) {
      case CallerProgram.Outcome.Ended ended -> {
        relinquish(new ExitStatus(ended.code(), ended.signal()));
        yield code(ended);
      }
      case CallerProgram.Outcome.NotFound _ -> {
        context.report(
            StderrMessage.error(
                "_fork_command: Unable to find command \"" + command.getFirst() + "\""));
        relinquish(new ExitStatus(1, 0));
        yield 1;
      }
      case CallerProgram.Outcome.Abandoned _ -> {
        relinquish(new ExitStatus(0, HANGUP));
        yield 1;
      }
    };
  }

  /** A user who ends the command by a signal knows that it failed. */
  private static int code(CallerProgram.Outcome.Ended ended) {
    return switch (ended.signal()) {
      case 0 -> ended.code();
      case HANGUP, INTERRUPT, QUIT, KILL -> 0;
      default -> 1;
    };
  }

  private void relinquish(ExitStatus exit) {
    if (revoked.compareAndSet(false, true)) {
      say("Relinquishing job allocation " + job.id());
      AllocationRequest.finish(context, new Command.CompleteAllocation(job.id(), exit));
    }
  }

  /**
   * The allocation ends at once, the command at its own time; a terminal that is gone ends both. A
   * command that is over in a moment needs no thread that looks for the end of its allocation.
   */
  private boolean goesOn(int signal, int killSignal) {
    if (signal == 0) {
      Thread.ofVirtual().name("allocation-" + job.id()).start(() -> watch(killSignal));
      return true;
    }
    if (signal == HANGUP) {
      return false;
    }
    if (tellRevoked()) {
      AllocationRequest.finish(
          context, new Command.KillJob(new JobSelector(job.id(), null), null, false, false));
    }
    return true;
  }

  private boolean tellRevoked() {
    boolean first = revoked.compareAndSet(false, true);
    if (first) {
      say("Job allocation " + job.id() + " has been revoked.");
    }
    return first;
  }

  /** Sees that the job has ended before its command. */
  private void watch(int killSignal) {
    try (ControllerConnection connection = context.controller().open()) {
      Response response;
      do {
        response = connection.await(new Request.WaitJob(job.id()));
      } while (response instanceof Response.StillWaiting && !over);
      if (response instanceof Response.Ended && !over) {
        tellRevoked();
        if (killSignal > 0) {
          context.caller().signalProgram(killSignal);
        }
      }
    } catch (IOException e) {
      // The command goes on; what became of the allocation is seen when it ends.
    }
  }
}

package io.dure.whatif;

import io.dure.controller.loop.InMemoryController;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.scontrol.ScontrolUpdate;
import io.dure.surface.scontrol.ScontrolVerb;
import io.dure.surface.scontrol.UpdatePort;
import io.dure.surface.value.WallClock;
import io.dure.twin.accounts.OfflineSacctmgr;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands of scontrol and sacctmgr for an in-memory controller, all called by root. One thread.
 */
final class ScenarioUpdatePort implements UpdatePort {
  private static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);

  private static final String NOT_SUPPOSED =
      "a what-if changes nodes, partitions, reservations and accounts this way only";

  private final List<String> said = new ArrayList<>();
  private final InMemoryController controller;
  private final ZoneId zone;

  ScenarioUpdatePort(InMemoryController controller, ZoneId zone) {
    this.controller = controller;
    this.zone = zone;
  }

  /**
   * Runs a command of sacctmgr or scontrol.
   *
   * @return its error messages, empty if it succeeded
   */
  String call(String program, List<String> words) {
    List<String> said = program.equals("sacctmgr") ? accounts(words) : cluster(words);
    return said == null ? "" : said.isEmpty() ? "it was refused" : String.join("; ", said);
  }

  private @Nullable List<String> accounts(List<String> words) {
    return OfflineSacctmgr.complaints(
        new OfflineSacctmgr.Target() {
          @Override
          public String cluster() {
            return controller.state().settings().controller().clusterName();
          }

          @Override
          public AccountingTree tree() {
            return controller.state().accounts();
          }

          @Override
          public Reply change(Command.ChangeAccounting change) {
            // There is no other writer, so the current version is always the right one.
            return controller.decide(
                new Command.ChangeAccounting(tree().version(), change.changes()), ROOT);
          }
        },
        null,
        words);
  }

  private @Nullable List<String> cluster(List<String> words) {
    try {
      said.clear();
      ScontrolUpdate update = new ScontrolUpdate(this);
      List<String> rest = words.subList(1, words.size());
      switch (ScontrolVerb.of(words)) {
        case UPDATE -> update.update(rest);
        case CREATE -> update.create(rest);
        case DELETE -> update.delete(rest);
        default -> throw CommandException.error(NOT_SUPPOSED);
      }
      return null;
    } catch (CommandException e) {
      fail(e);
      return List.copyOf(said);
    }
  }

  @Override
  public WallClock clock() {
    return new WallClock.Fixed(controller.now(), zone);
  }

  @Override
  public void print(String text) {}

  @Override
  public void report(StderrMessage message) {
    message.format("scontrol").lines().map(String::strip).forEach(said::add);
  }

  @Override
  public void fail(CommandException failure) {
    failure.messages().forEach(this::report);
  }

  @Override
  public Response.Cluster cluster(String prefix, String shown) {
    return ClusterView.of(
        controller.state(), PendingVerdicts.NONE, _ -> null, _ -> "root", ROOT, controller.now());
  }

  @Override
  public List<Job> jobsNamed(String name) throws CommandException {
    throw CommandException.plain(NOT_SUPPOSED);
  }

  @Override
  public boolean knowsUser(String name) {
    return true;
  }

  @Override
  public void update(Command.UserCommand command) throws CommandException {
    request("slurm_update error", command);
  }

  @Override
  public void setLogLevel(String level) throws CommandException {
    throw CommandException.plain(NOT_SUPPOSED);
  }

  @Override
  public Response request(String prefix, Command.UserCommand command) throws CommandException {
    if (!isOfTheCluster(command)) {
      throw CommandException.plain(prefix + ": " + NOT_SUPPOSED);
    }
    Response response = new Response.Decided(controller.decide(command, ROOT));
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused != null) {
      throw ResponseCheck.failure(refused, prefix + ": " + refused.code().text());
    }
    return response;
  }

  @Override
  public void updateJob(Command.UserCommand command, String job) throws CommandException {
    throw CommandException.plain(NOT_SUPPOSED + " for job " + job);
  }

  @Override
  public void resizeJob(Command.UpdateJob command, String job) throws CommandException {
    updateJob(command, job);
  }

  private static boolean isOfTheCluster(Command.UserCommand command) {
    return switch (command) {
      case Command.UpdateNodes _,
          Command.CreateNodes _,
          Command.ChangePartition _,
          Command.DeletePartition _,
          Command.ChangeAccounting _,
          Command.CreateReservation _,
          Command.UpdateReservation _,
          Command.DeleteReservation _ ->
          true;
      case Command.SubmitJob _,
          Command.ChangeTriggers _,
          Command.ChangeCrontab _,
          Command.SubmitHetJob _,
          Command.KillJob _,
          Command.KillJobs _,
          Command.HoldJob _,
          Command.ReleaseJob _,
          Command.RequeueJob _,
          Command.SuspendJob _,
          Command.ResumeJob _,
          Command.UpdateJob _,
          Command.TopJobs _,
          Command.CreateStep _,
          Command.CompleteAllocation _,
          Command.KillStep _,
          Command.UpdateStep _,
          Command.NotifyJob _,
          Command.DeleteNodes _ ->
          false;
    };
  }
}

package io.dure.core.controller.decide;

import io.dure.core.controller.Answers;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.RequestId;
import io.dure.core.controller.reserve.ReservationChanges;
import io.dure.core.controller.reserve.ReservationDecision;
import io.dure.core.controller.reserve.ReservationRules;
import io.dure.core.history.forecast.Foretold;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.command.Caller;
import java.time.Instant;
import java.util.List;

/**
 * Decides on commands. A function: the same state, command, caller and time give the same decision;
 * nothing is changed, read or waited for. Any thread may call it, though only the state loop has a
 * use for it.
 */
public final class Decider {
  private Decider() {}

  /**
   * What the command leads to.
   *
   * @param caller who asks, established outside the message
   * @param now the time to decide at
   */
  public static Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
    Draft draft = new Draft(state, now);
    return draft.decision(reply(draft, command, caller));
  }

  private static Reply reply(Draft draft, Command command, Caller caller) {
    return switch (command) {
      case Command.FromUser user when caller instanceof Caller.User who ->
          decideUser(draft, user, who);
      case Command.Named named when caller instanceof Caller.User who ->
          decideOnce(draft, named, who);
      case Command.FromNode node when caller instanceof Caller.NodeDaemon who ->
          settled(draft, decideNode(draft, node, who.node()));
      case Command.FromSelf self when caller instanceof Caller.Self ->
          settled(draft, decideSelf(draft, self));
      case Command.FromUser _, Command.Named _, Command.FromNode _, Command.FromSelf _ ->
          draft.refuse(ErrorCode.AUTHENTICATION);
    };
  }

  private static Reply decideOnce(Draft draft, Command.Named command, Caller.User who) {
    RequestId id = RequestId.parse(command.requestId());
    if (id == null) {
      return draft.refuse(ErrorCode.BAD_INPUT, "a request id is 32 hexadecimal digits");
    }
    int uid = who.identity().uid();
    String kind = command.change().kind();
    Reply known = draft.state().answers().reply(id, uid, kind);
    if (known != null) {
      return known;
    }
    Reply reply = decideUser(draft, command.change(), who);
    if (!draft.isEmpty()) {
      draft.emit(new Event.ChangeAnswered(new Answers.Entry(id, uid, kind, reply, draft.now())));
    }
    return reply;
  }

  private static Reply decideUser(Draft draft, Command.FromUser command, Caller.User who) {
    return settled(draft, replyToUser(draft, command, who));
  }

  /** With what the decision means for jobs that share cores. */
  private static Reply settled(Draft draft, Reply reply) {
    SuspendRules.settle(draft);
    return reply;
  }

  private static Reply replyToUser(Draft draft, Command.FromUser command, Caller.User who) {
    return switch (command) {
      case Command.SubmitJob c -> SubmitRules.submit(draft, c, who);
      case Command.SubmitHetJob c -> SubmitRules.submit(draft, c, who);
      case Command.KillJob c -> KillRules.kill(draft, c, who);
      case Command.HoldJob c -> HoldRules.hold(draft, c, who);
      case Command.ReleaseJob c -> HoldRules.release(draft, c, who);
      case Command.RequeueJob c -> RequeueRules.requeue(draft, c, who);
      case Command.SuspendJob c -> SuspendRules.suspend(draft, c, who);
      case Command.ResumeJob c -> SuspendRules.resume(draft, c, who);
      case Command.UpdateJob c -> UpdateRules.update(draft, c, who);
      case Command.TopJobs c -> HoldRules.top(draft, c, who);
      case Command.NotifyJob c -> KillRules.notify(draft, c, who);
      case Command.UpdateNodes c -> NodeAdminRules.update(draft, c, who);
      case Command.CreateNodes c -> NodeAdminRules.create(draft, c, who);
      case Command.DeleteNodes c -> NodeAdminRules.delete(draft, c, who);
      case Command.ChangePartition c -> PartitionRules.change(draft, c, who);
      case Command.DeletePartition c -> PartitionRules.delete(draft, c, who);
      case Command.ChangeAccounting c -> AccountingRules.change(draft, c, who);
      case Command.CreateReservation c ->
          reserved(draft, ReservationRules.create(draft.state(), c.request(), who, draft.now()));
      case Command.UpdateReservation c ->
          reserved(draft, ReservationChanges.update(draft.state(), c, who, draft.now()));
      case Command.DeleteReservation c ->
          reserved(draft, ReservationChanges.delete(draft.state(), c.name(), who, draft.now()));
    };
  }

  private static Reply reserved(Draft draft, ReservationDecision decision) {
    decision.events().forEach(draft::emit);
    return decision.reply();
  }

  private static Reply decideNode(Draft draft, Command.FromNode command, String node) {
    return switch (command) {
      case Command.RegisterNode c -> NodeRules.register(draft, c, node);
      case Command.StepLaunched c -> StepRules.launched(draft, node, c.jobId(), c.run());
      case Command.StepEnded c -> StepRules.ended(draft, node, c);
      case Command.NodeCleaned c -> StepRules.cleaned(draft, node, c);
      case Command.NodeUnfit c -> NodeRules.unfit(draft, node, c.reason());
    };
  }

  private static Reply decideSelf(Draft draft, Command.FromSelf command) {
    return switch (command) {
      case Command.NodeDisconnected c -> NodeRules.disconnected(draft, c.node());
      case Command.CompareRuns c -> ReconcileRules.compare(draft, c);
      case Command.PrologEnded c -> ScriptRules.prologEnded(draft, c);
      case Command.EpilogEnded c -> ScriptRules.epilogEnded(draft, c);
      case Command.Configure c -> NodeRules.configure(draft, c);
      case Command.TakeOver _ -> NodeRules.takeOver(draft);
      case Command.Tick _ -> TickRules.tick(draft);
      case Command.PreemptJobs c -> PreemptRules.preempt(draft, c);
      case Command.StartJobs c -> StartRules.start(draft, c);
      case Command.NoteForecasts c -> noted(draft, c.forecasts());
    };
  }

  /** Forecasts are stored, so that they can be compared with the starts. */
  private static Reply noted(Draft draft, List<Foretold> told) {
    List<Foretold> first = draft.state().forecasts().wanted(draft.state()::job, told);
    if (!first.isEmpty()) {
      draft.emit(new Event.ForecastsMade(first));
    }
    return draft.done();
  }
}

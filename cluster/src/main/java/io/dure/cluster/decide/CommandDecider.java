package io.dure.cluster.decide;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.RecentReplies;
import io.dure.cluster.RequestId;
import io.dure.cluster.decide.administration.AccountingRules;
import io.dure.cluster.decide.administration.PartitionAdminRules;
import io.dure.cluster.decide.administration.TriggerRules;
import io.dure.cluster.decide.job.BulkCancelRules;
import io.dure.cluster.decide.job.CancelRules;
import io.dure.cluster.decide.job.CrontabRules;
import io.dure.cluster.decide.job.HoldAndReleaseRules;
import io.dure.cluster.decide.job.JobUpdateRules;
import io.dure.cluster.decide.job.PreemptRules;
import io.dure.cluster.decide.job.RequeueRules;
import io.dure.cluster.decide.job.StartRules;
import io.dure.cluster.decide.job.StepCreationRules;
import io.dure.cluster.decide.job.StepKillRules;
import io.dure.cluster.decide.job.SubmitRules;
import io.dure.cluster.decide.job.SuspendRules;
import io.dure.cluster.decide.node.ControllerScriptRules;
import io.dure.cluster.decide.node.NodeAdminRules;
import io.dure.cluster.decide.node.NodeRegistrationRules;
import io.dure.cluster.decide.node.PowerRules;
import io.dure.cluster.decide.node.ReconcileRules;
import io.dure.cluster.decide.node.StepPartRules;
import io.dure.cluster.decide.node.StepReportRules;
import io.dure.cluster.reservations.ReservationCreateRules;
import io.dure.cluster.reservations.ReservationDecision;
import io.dure.cluster.reservations.ReservationUpdateRules;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.job.Job;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides on commands. A function: the same state, command, caller and time give the same decision;
 * nothing is changed, read or waited for. Any thread may call it, though only the state loop has a
 * use for it.
 */
public final class CommandDecider {
  /**
   * Attempts of one event: the log of records keeps what an event makes together, and that is each
   * job with its command line, of 4 MiB at most and its arguments the same. Controllers of a group
   * give each other no more than 64 MiB at once.
   */
  private static final int CORRECTED_AT_ONCE = 4;

  private CommandDecider() {}

  /**
   * What the command leads to.
   *
   * @param caller who asks, established outside the message
   * @param now the time to decide at
   */
  public static Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
    DecisionBuilder draft = new DecisionBuilder(state, now);
    return draft.decision(reply(draft, command, caller));
  }

  private static Reply reply(DecisionBuilder draft, Command command, Caller caller) {
    return switch (command) {
      case Command.UserCommand user when caller instanceof Caller.User sender ->
          decideUser(draft, user, sender);
      case Command.Named named when caller instanceof Caller.User sender ->
          decideOnce(draft, named, sender);
      case Command.NodeCommand node when caller instanceof Caller.NodeDaemon sender ->
          settled(draft, decideNode(draft, node, sender.node()));
      case Command.InternalCommand self when caller instanceof Caller.Self ->
          settled(draft, decideSelf(draft, self));
      case Command.UserCommand _,
          Command.Named _,
          Command.NodeCommand _,
          Command.InternalCommand _ ->
          draft.refuse(ErrorCode.AUTHENTICATION);
    };
  }

  private static Reply decideOnce(
      DecisionBuilder draft, Command.Named command, Caller.User caller) {
    RequestId id = RequestId.parse(command.requestId());
    if (id == null) {
      return draft.refuse(ErrorCode.BAD_INPUT, "a request id is 32 hexadecimal digits");
    }
    int uid = caller.identity().uid();
    String kind = command.change().kind();
    Reply known = draft.state().answers().reply(id, uid, kind);
    if (known != null) {
      return known;
    }
    Reply reply = decideUser(draft, command.change(), caller);
    if (!draft.isEmpty()) {
      draft.emit(
          new Event.ChangeAnswered(new RecentReplies.Entry(id, uid, kind, reply, draft.now())));
    }
    return reply;
  }

  private static Reply decideUser(
      DecisionBuilder draft, Command.UserCommand command, Caller.User caller) {
    return settled(draft, TextQuota.within(draft, command, replyToUser(draft, command, caller)));
  }

  /** With what the decision means for jobs that share cores. */
  private static Reply settled(DecisionBuilder draft, Reply reply) {
    SuspendRules.settle(draft);
    TriggerRules.settle(draft);
    return reply;
  }

  private static Reply replyToUser(
      DecisionBuilder draft, Command.UserCommand command, Caller.User caller) {
    return switch (command) {
      case Command.SubmitJob c -> SubmitRules.submit(draft, c, caller);
      case Command.SubmitHetJob c -> SubmitRules.submit(draft, c, caller);
      case Command.KillJob c -> CancelRules.kill(draft, c, caller);
      case Command.KillJobs c -> BulkCancelRules.kill(draft, c, caller);
      case Command.HoldJob c -> HoldAndReleaseRules.hold(draft, c, caller);
      case Command.ReleaseJob c -> HoldAndReleaseRules.release(draft, c, caller);
      case Command.RequeueJob c -> RequeueRules.requeue(draft, c, caller);
      case Command.SuspendJob c -> SuspendRules.suspend(draft, c, caller);
      case Command.ResumeJob c -> SuspendRules.resume(draft, c, caller);
      case Command.UpdateJob c -> JobUpdateRules.update(draft, c, caller);
      case Command.TopJobs c -> HoldAndReleaseRules.top(draft, c, caller);
      case Command.NotifyJob c -> CancelRules.notify(draft, c, caller);
      case Command.UpdateNodes c -> NodeAdminRules.update(draft, c, caller);
      case Command.CreateNodes c -> NodeAdminRules.create(draft, c, caller);
      case Command.DeleteNodes c -> NodeAdminRules.delete(draft, c, caller);
      case Command.ChangePartition c -> PartitionAdminRules.change(draft, c, caller);
      case Command.DeletePartition c -> PartitionAdminRules.delete(draft, c, caller);
      case Command.ChangeAccounting c -> AccountingRules.change(draft, c, caller);
      case Command.CreateStep c -> StepCreationRules.create(draft, c, caller);
      case Command.UpdateStep c -> StepKillRules.update(draft, c, caller);
      case Command.KillStep c -> StepKillRules.kill(draft, c, caller);
      case Command.CompleteAllocation c -> StepCreationRules.complete(draft, c, caller);
      case Command.ChangeTriggers c -> TriggerRules.change(draft, c.change(), caller);
      case Command.ChangeCrontab c -> CrontabRules.change(draft, c.change(), caller);
      case Command.CreateReservation c ->
          reserved(
              draft,
              ReservationCreateRules.create(draft.state(), c.request(), caller, draft.now()));
      case Command.UpdateReservation c ->
          reserved(draft, ReservationUpdateRules.update(draft.state(), c, caller, draft.now()));
      case Command.DeleteReservation c ->
          reserved(
              draft, ReservationUpdateRules.delete(draft.state(), c.name(), caller, draft.now()));
    };
  }

  private static Reply reserved(DecisionBuilder draft, ReservationDecision decision) {
    decision.events().forEach(draft::emit);
    return decision.reply();
  }

  private static Reply decideNode(DecisionBuilder draft, Command.NodeCommand command, String node) {
    return switch (command) {
      case Command.RegisterNode c -> NodeRegistrationRules.register(draft, c, node);
      case Command.StepLaunched c -> StepReportRules.launched(draft, node, c.jobId(), c.run());
      case Command.StepEnded c -> StepReportRules.ended(draft, node, c);
      case Command.StepPartEnded c -> StepPartRules.partEnded(draft, node, c);
      case Command.StepPartsEnded c -> StepPartRules.partsEnded(draft, node, c);
      case Command.NodeCleaned c -> StepReportRules.cleaned(draft, node, c);
      case Command.NodeUnfit c -> NodeRegistrationRules.unfit(draft, node, c.reason());
    };
  }

  private static Reply decideSelf(DecisionBuilder draft, Command.InternalCommand command) {
    return switch (command) {
      case Command.NodeDisconnected c -> NodeRegistrationRules.disconnected(draft, c.node());
      case Command.CompareRuns c -> ReconcileRules.compare(draft, c);
      case Command.PrologEnded c -> ControllerScriptRules.prologEnded(draft, c);
      case Command.EpilogEnded c -> ControllerScriptRules.epilogEnded(draft, c);
      case Command.Configure c -> NodeRegistrationRules.configure(draft, c);
      case Command.TakeOver _ -> NodeRegistrationRules.takeOver(draft);
      case Command.Tick _ -> TickRules.tick(draft);
      case Command.PreemptJobs c -> PreemptRules.preempt(draft, c);
      case Command.StartJobs c -> started(draft, c);
      case Command.NoteForecasts c -> noted(draft, c.forecasts());
      case Command.NoteCompletions c -> recorded(draft, c);
      case Command.CorrectJobs c -> corrected(draft, c);
      case Command.FollowAccounting c -> AccountingRules.follow(draft, c);
      case Command.CountUsageElsewhere c -> AccountingRules.countElsewhere(draft, c);
      case Command.ReplaceAccounting c -> AccountingRules.replace(draft, c.accounts());
    };
  }

  /** Nodes that are off are switched on for the jobs that got them. */
  private static Reply started(DecisionBuilder draft, Command.StartJobs command) {
    Reply reply = StartRules.start(draft, command);
    PowerRules.wake(draft);
    return reply;
  }

  /** Forecasts are stored, so that they can be compared with the starts. */
  private static Reply noted(DecisionBuilder draft, List<FirstForecast> told) {
    List<FirstForecast> first = draft.state().forecasts().wanted(draft.state()::job, told);
    if (!first.isEmpty()) {
      draft.emit(new Event.ForecastsMade(first));
    }
    return draft.done();
  }

  /** The caller has seen to it that the actor may. */
  private static Reply corrected(DecisionBuilder draft, Command.CorrectJobs c) {
    List<AttemptId> all = c.attempts();
    for (int from = 0; from < all.size(); from += CORRECTED_AT_ONCE) {
      List<AttemptId> some = all.subList(from, Math.min(all.size(), from + CORRECTED_AT_ONCE));
      draft.emit(
          new Event.JobsCorrected(List.copyOf(some), c.correction(), draft.now(), c.actor()));
    }
    Reply reply = draft.done();
    Set<UserIdentity> owners = new LinkedHashSet<>();
    for (AttemptId attempt : c.attempts()) {
      Job job = draft.state().job(attempt.jobId());
      if (job != null && owners.add(job.owner())) {
        reply = TextQuota.of(draft, job.owner(), reply);
      }
    }
    return reply;
  }

  /** What another leader noted since is not taken back. */
  private static Reply recorded(DecisionBuilder draft, Command.NoteCompletions told) {
    if (told.position() > draft.state().hooks().completed()) {
      draft.emit(new Event.CompletionsRecorded(told.position(), told.fileLength()));
    }
    return draft.done();
  }
}

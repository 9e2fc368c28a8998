package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.node.NodeCondition;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.WaitCause;
import io.dure.model.request.DependencyList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What may be taken away to see whether it holds a job. All functions are pure. */
final class Counterfactuals {
  /** More than there is of anything. */
  private static final long NO_BOUND = 1L << 50;

  private Counterfactuals() {}

  /** How a cause that is no job is taken away, null where that means nothing. */
  static @Nullable Counterfactual of(ExplanationQuery question, WaitCause cause) {
    Job job = question.job();
    Instant now = question.now();
    return switch (cause) {
      case WaitCause.Held _ ->
          new Counterfactual(
              cause,
              ProposedJobChange.asRoot(
                  question, new Command.ReleaseJob(ProposedJobChange.whole(job))));
      case WaitCause.DependsOn _ ->
          updating(question, cause, JobChange.NONE.withDependency(DependencyList.NONE));
      case WaitCause.BeginsLater(_, boolean again) ->
          again ? null : updating(question, cause, JobChange.NONE.withBeginTime(now));
      case WaitCause.Throttled _ -> {
        ArrayPart part = job.array();
        int array = part == null ? job.id() : part.arrayJobId();
        yield new Counterfactual(
            cause, state -> EventApplier.apply(state, new Event.ArrayThrottled(array, 0)));
      }
      case WaitCause.PartitionClosed(String partition, _) ->
          new Counterfactual(cause, opening(partition));
      case WaitCause.LimitReached reached -> {
        UnaryOperator<ClusterState> lifted = lifting(question.state(), reached.breach(), now);
        yield lifted == null ? null : new Counterfactual(cause, lifted);
      }
      case WaitCause.ReservedFor reserved ->
          new Counterfactual(
              cause,
              state ->
                  EventApplier.apply(state, new Event.ReservationDeleted(reserved.name(), null)));
      case WaitCause.NodesClosed _ -> nodes(question, cause);
      case WaitCause.LicensesTaken taken ->
          Counterfactual.ending(
              question, cause, ids(Blockers.holdingLicence(question.state(), taken.name())));
      case WaitCause.MissesDeadline _,
          WaitCause.NotAllowed _,
          WaitCause.TooMuch _,
          WaitCause.OwnReservation _,
          WaitCause.NoRoom _,
          WaitCause.Running _,
          WaitCause.Ahead _,
          WaitCause.Queue _ ->
          null;
    };
  }

  private static Counterfactual updating(
      ExplanationQuery question, WaitCause cause, JobChange change) {
    Command.UpdateJob update =
        new Command.UpdateJob(ProposedJobChange.whole(question.job()), change);
    return new Counterfactual(cause, ProposedJobChange.asRoot(question, update));
  }

  private static List<Integer> ids(List<Job> jobs) {
    return jobs.stream().map(Job::id).toList();
  }

  private static UnaryOperator<ClusterState> opening(String name) {
    return state -> {
      PartitionConfig partition = state.partition(name);
      return partition == null
          ? state
          : EventApplier.apply(
              state, new Event.PartitionDefined(partition.withState(PartitionConfig.State.UP)));
    };
  }

  private static Counterfactual nodes(ExplanationQuery question, WaitCause cause) {
    List<NodeRecord> closed = new ArrayList<>();
    for (String name : question.job().spec().partitions()) {
      PartitionConfig partition = question.state().partition(name);
      if (partition != null) {
        closed.addAll(Blockers.closed(question.state(), partition, question.job().spec()));
      }
    }
    return new Counterfactual(
        cause,
        state -> {
          ClusterState next = state;
          for (NodeRecord node : closed) {
            next =
                EventApplier.apply(
                    next, new Event.NodeConditionChanged(node.name(), NodeCondition.GOOD, null));
            if (!node.responding() && node.facts() != null) {
              next =
                  EventApplier.apply(
                      next, new Event.NodeRegistered(node.name(), node.facts(), question.now()));
            }
          }
          return next;
        });
  }

  /** The cluster in which a limit bounds nothing, null where it is none that can be lifted. */
  private static @Nullable UnaryOperator<ClusterState> lifting(
      ClusterState state, LimitBreach breach, Instant now) {
    LimitKind limit = breach.limit();
    AccountingTree tree = state.accounts();
    if (limit == null) {
      return null;
    }
    Long bound = limit == LimitKind.MIN_TRES_PER_JOB ? 0 : NO_BOUND;
    AccountingChange change = null;
    Association own =
        breach.association() == null ? null : tree.associations().get(breach.association());
    Qos qos = breach.qos() == null ? null : tree.qos(breach.qos());
    if (own != null) {
      AccountingLimits lifted = own.limits().with(limit, breach.tres(), bound);
      change = new AccountingChange.AssociationSet(own.withLimits(lifted));
    } else if (qos != null) {
      AccountingLimits lifted = qos.limits().with(limit, breach.tres(), bound);
      change = new AccountingChange.QosSet(qos.withLimits(lifted));
    }
    if (change == null) {
      return null;
    }
    Event event = new Event.AccountingChanged(List.of(change), now, null);
    return given -> EventApplier.apply(given, event);
  }
}

package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.model.ArrayPart;
import io.dure.model.DependencyList;
import io.dure.model.HostList;
import io.dure.model.Job;
import io.dure.model.NodeCondition;
import io.dure.model.NodeShare;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.command.Command;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.WaitCause;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.rules.PartitionRules;
import io.dure.rules.ReservedNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What may be taken away to see whether it holds a job. All functions are pure. */
final class Counterfactuals {
  /** More than anybody has of anything. */
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
              ProposedJobChange.asRoot(new Command.ReleaseJob(ProposedJobChange.whole(job)), now));
      case WaitCause.DependsOn _ -> {
        ProposedJobChange none = new ProposedJobChange();
        none.dependency = DependencyList.NONE;
        yield new Counterfactual(
            cause,
            ProposedJobChange.asRoot(
                new Command.UpdateJob(ProposedJobChange.whole(job), none.change()), now));
      }
      case WaitCause.BeginsLater(_, boolean again) -> {
        ProposedJobChange atOnce = new ProposedJobChange();
        atOnce.begin = now;
        yield again
            ? null
            : new Counterfactual(
                cause,
                ProposedJobChange.asRoot(
                    new Command.UpdateJob(ProposedJobChange.whole(job), atOnce.change()), now));
      }
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
              state -> EventApplier.apply(state, new Event.ReservationDeleted(reserved.name())));
      case WaitCause.NodesClosed _ -> nodes(question, cause);
      case WaitCause.LicensesTaken taken ->
          Counterfactual.ending(cause, ids(holdingLicence(question.state(), taken.name())), now);
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
        closed.addAll(RuleCauseFinder.closed(question.state(), partition, question.job().spec()));
      }
    }
    return new Counterfactual(
        cause,
        state -> {
          ClusterState next = state;
          for (NodeRecord node : closed) {
            next =
                EventApplier.apply(
                    next, new Event.NodeConditionChanged(node.name(), NodeCondition.GOOD));
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
    Event event = new Event.AccountingChanged(List.of(change), now);
    return given -> EventApplier.apply(given, event);
  }

  /** Running jobs that count for a limit. */
  static List<Job> chargedTo(ClusterState state, LimitBreach breach) {
    List<Job> jobs = new ArrayList<>();
    AccountingTree tree = state.accounts();
    state
        .usage()
        .charges()
        .forEach((id, charge) -> {
          Job job = state.active().get(id);
          if (job != null && counts(tree, breach, charge)) {
            jobs.add(job);
          }
        });
    return jobs;
  }

  private static boolean counts(AccountingTree tree, LimitBreach breach, JobCharge charge) {
    Association its =
        charge.association() == null ? null : tree.associations().get(charge.association());
    if (breach.association() != null) {
      Association limited = tree.associations().get(breach.association());
      return its != null && limited != null && tree.path(its).contains(limited);
    }
    String name = breach.qos();
    boolean inQos =
        name != null
            && UsageLedger.qos(tree, charge).stream().anyMatch(one -> one.name().equals(name));
    boolean ofUser = breach.user() == null || its != null && breach.user().equals(its.user());
    boolean ofAccount =
        breach.sharingAccount() == null
            || its != null && breach.sharingAccount().equals(its.account());
    return inQos && ofUser && ofAccount;
  }

  /** Running jobs that hold a licence. */
  static List<Job> holdingLicence(ClusterState state, String name) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : state.active().values()) {
      var run = job.state().runningOrSuspended();
      if (run != null && License.count(run.allocation().licenses(), name) > 0) {
        jobs.add(job);
      }
    }
    return jobs;
  }

  /** Reservations that keep a job off nodes of a partition if it starts now. */
  static List<Reservation> closing(
      ClusterState state, Job job, PartitionConfig partition, Instant now) {
    List<Reservation> its = ReservedNodes.of(state.reservations(), job);
    Reservation own = its.isEmpty() ? null : its.getFirst();
    Instant end = PartitionRules.end(partition, job.spec(), now);
    NavigableSet<String> nodes = new TreeSet<>(partition.nodes());
    List<Reservation> closing = new ArrayList<>();
    for (Reservation one : state.reservations()) {
      boolean meets = one.overlaps(now, end == null ? Instant.MAX : end, now);
      if (meets && one.closesTo(own) && one.nodes().stream().anyMatch(nodes::contains)) {
        closing.add(one);
      }
    }
    return closing;
  }

  /** A reservation as a cause. */
  static WaitCause.ReservedFor reserved(Reservation one, Instant now) {
    return new WaitCause.ReservedFor(
        one.name(),
        one.start(now),
        one.end(now),
        one.is(ReservationFlag.MAINT),
        HostList.compress(one.nodes()));
  }

  /** Jobs that hold something of these nodes now, those that end last first. */
  static List<Job> holding(ClusterState state, List<String> nodes) {
    NavigableSet<Integer> ids = new TreeSet<>();
    for (String name : nodes) {
      NodeRecord node = state.node(name);
      if (node != null) {
        for (int id : node.shares().keys()) {
          NodeShare share = node.shares().get(id);
          boolean takes = share != null && (!share.cores().isEmpty() || !share.gres().isEmpty());
          if (takes || share != null && share.memoryMib() > 0) {
            ids.add(id);
          }
        }
      }
    }
    List<Job> jobs = new ArrayList<>();
    for (int id : ids) {
      Job job = state.active().get(id);
      if (job != null) {
        jobs.add(job);
      }
    }
    jobs.sort(Comparator.comparing(Counterfactuals::until).reversed().thenComparingInt(Job::id));
    return jobs;
  }

  private static Instant until(Job job) {
    var run = job.state().runningOrSuspended();
    Instant end = run == null ? Instant.MIN : run.latestEnd();
    return end == null ? Instant.MAX : end;
  }
}

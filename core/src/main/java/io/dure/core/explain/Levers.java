package io.dure.core.explain;

import io.dure.core.accounting.AccountingChange;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.NodeRecord;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.DependencyList;
import io.dure.core.model.HostList;
import io.dure.core.model.Job;
import io.dure.core.model.NodeCondition;
import io.dure.core.model.NodeShare;
import io.dure.core.model.gres.License;
import io.dure.core.reservation.Reservation;
import io.dure.core.reservation.ReservationFlag;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.ReservedNodes;
import io.dure.core.scheduler.limits.Breach;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What may be taken away to see whether it holds a job. All functions are pure. */
final class Levers {
  /** More than anybody has of anything. */
  private static final long NO_BOUND = 1L << 50;

  private Levers() {}

  /** How a cause that is no job is taken away, null where that means nothing. */
  static @Nullable Lever of(Question question, Cause cause) {
    Job job = question.job();
    Instant now = question.now();
    return switch (cause) {
      case Cause.Held _ ->
          new Lever(cause, Changes.asRoot(new Command.ReleaseJob(Changes.whole(job)), now));
      case Cause.DependsOn _ -> {
        Changes none = new Changes();
        none.dependency = DependencyList.NONE;
        yield new Lever(
            cause, Changes.asRoot(new Command.UpdateJob(Changes.whole(job), none.change()), now));
      }
      case Cause.BeginsLater(_, boolean again) -> {
        Changes atOnce = new Changes();
        atOnce.begin = now;
        yield again
            ? null
            : new Lever(
                cause,
                Changes.asRoot(new Command.UpdateJob(Changes.whole(job), atOnce.change()), now));
      }
      case Cause.Throttled _ -> {
        ArrayPart part = job.array();
        int array = part == null ? job.id() : part.arrayJobId();
        yield new Lever(cause, state -> Apply.apply(state, new Event.ArrayThrottled(array, 0)));
      }
      case Cause.PartitionClosed(String partition, _) -> new Lever(cause, opening(partition));
      case Cause.LimitReached reached -> {
        UnaryOperator<ClusterState> lifted = lifting(question.state(), reached.breach(), now);
        yield lifted == null ? null : new Lever(cause, lifted);
      }
      case Cause.ReservedFor reserved ->
          new Lever(
              cause, state -> Apply.apply(state, new Event.ReservationDeleted(reserved.name())));
      case Cause.NodesClosed _ -> nodes(question, cause);
      case Cause.LicensesTaken taken ->
          Lever.ending(cause, ids(holdingLicence(question.state(), taken.name())), now);
      case Cause.MissesDeadline _,
          Cause.NotAllowed _,
          Cause.TooMuch _,
          Cause.OwnReservation _,
          Cause.NoRoom _,
          Cause.Running _,
          Cause.Ahead _,
          Cause.Queue _ ->
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
          : Apply.apply(
              state, new Event.PartitionDefined(partition.withState(PartitionConfig.State.UP)));
    };
  }

  private static Lever nodes(Question question, Cause cause) {
    List<NodeRecord> closed = new ArrayList<>();
    for (String name : question.job().spec().partitions()) {
      PartitionConfig partition = question.state().partition(name);
      if (partition != null) {
        closed.addAll(Facts.closed(question.state(), partition, question.job().spec()));
      }
    }
    return new Lever(
        cause,
        state -> {
          ClusterState next = state;
          for (NodeRecord node : closed) {
            next =
                Apply.apply(next, new Event.NodeConditionChanged(node.name(), NodeCondition.GOOD));
            if (!node.responding() && node.facts() != null) {
              next =
                  Apply.apply(
                      next, new Event.NodeRegistered(node.name(), node.facts(), question.now()));
            }
          }
          return next;
        });
  }

  /** The cluster in which a limit bounds nothing, null where it is none that can be lifted. */
  private static @Nullable UnaryOperator<ClusterState> lifting(
      ClusterState state, Breach breach, Instant now) {
    Limit limit = breach.limit();
    AccountingTree tree = state.accounts();
    if (limit == null) {
      return null;
    }
    Long bound = limit == Limit.MIN_TRES_PER_JOB ? 0 : NO_BOUND;
    AccountingChange change = null;
    Association own =
        breach.association() == null ? null : tree.associations().get(breach.association());
    Qos qos = breach.qos() == null ? null : tree.qos(breach.qos());
    if (own != null) {
      Limits lifted = own.limits().with(limit, breach.tres(), bound);
      change = new AccountingChange.AssociationSet(own.withLimits(lifted));
    } else if (qos != null) {
      Limits lifted = qos.limits().with(limit, breach.tres(), bound);
      change = new AccountingChange.QosSet(qos.withLimits(lifted));
    }
    if (change == null) {
      return null;
    }
    Event event = new Event.AccountingChanged(List.of(change), now);
    return given -> Apply.apply(given, event);
  }

  /** Running jobs that count for a limit. */
  static List<Job> chargedTo(ClusterState state, Breach breach) {
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

  private static boolean counts(AccountingTree tree, Breach breach, Charge charge) {
    Association its =
        charge.association() == null ? null : tree.associations().get(charge.association());
    if (breach.association() != null) {
      Association limited = tree.associations().get(breach.association());
      return its != null && limited != null && tree.path(its).contains(limited);
    }
    String name = breach.qos();
    boolean inQos =
        name != null
            && UsageBook.qos(tree, charge).stream().anyMatch(one -> one.name().equals(name));
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
      var run = job.state().underWay();
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
      boolean meets = one.meets(now, end == null ? Instant.MAX : end, now);
      if (meets && one.closesTo(own) && one.nodes().stream().anyMatch(nodes::contains)) {
        closing.add(one);
      }
    }
    return closing;
  }

  /** A reservation as a cause. */
  static Cause.ReservedFor reserved(Reservation one, Instant now) {
    return new Cause.ReservedFor(
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
    jobs.sort(Comparator.comparing(Levers::until).reversed().thenComparingInt(Job::id));
    return jobs;
  }

  private static Instant until(Job job) {
    var run = job.state().underWay();
    Instant end = run == null ? Instant.MIN : run.latestEnd();
    return end == null ? Instant.MAX : end;
  }
}

package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.HostList;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.WaitCause;
import io.dure.model.request.JobSpec;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.placement.JobFeasibility;
import io.dure.placement.NodeDemand;
import io.dure.rules.PartitionRules;
import io.dure.rules.ReservedNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Jobs, reservations and nodes that stand in the way of a job. All functions are pure. */
final class Blockers {
  private Blockers() {}

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
    jobs.sort(Comparator.comparing(Blockers::until).reversed().thenComparingInt(Job::id));
    return jobs;
  }

  private static Instant until(Job job) {
    var run = job.state().runningOrSuspended();
    Instant end = run == null ? Instant.MIN : run.latestEnd();
    return end == null ? Instant.MAX : end;
  }

  /** Nodes of the kind wanted that take no jobs. */
  static List<NodeRecord> closed(ClusterState state, PartitionConfig partition, JobSpec spec) {
    List<NodeRecord> closed = new ArrayList<>();
    try {
      NodeDemand need =
          JobFeasibility.need(
              state, PartitionRules.freed(state, partition, spec), spec.resources(), -1);
      for (String name : partition.nodes()) {
        NodeRecord node = state.node(name);
        if (node != null && !node.available() && need.matches(node.config())) {
          closed.add(node);
        }
      }
    } catch (InvalidFeatureException e) {
      return List.of();
    }
    return closed;
  }
}

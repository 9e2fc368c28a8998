package io.dure.core.explain;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.NodeRecord;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeCondition;
import io.dure.core.model.Outcome;
import io.dure.core.model.gres.License;
import io.dure.core.model.gres.LicenseRequest;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.Feasibility;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.ReservedNodes;
import io.dure.core.scheduler.Throttle;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.core.scheduler.limits.Breach;
import io.dure.core.scheduler.limits.Demand;
import io.dure.core.scheduler.limits.StartLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is against the start of a waiting job by the rules, looked at in the state alone. */
final class Facts {
  /** Jobs and nodes that are named at most for one cause. */
  static final int MOST_NAMED = 24;

  private final Question question;
  private final ClusterState state;
  private final Job job;
  private final Instant now;
  private final List<Cause> causes = new ArrayList<>();

  Facts(Question question) {
    this.question = question;
    state = question.state();
    job = question.job();
    now = question.now();
  }

  /** All causes, the most decisive first. Used once. */
  List<Cause> all() {
    if (!(job.state() instanceof JobState.Pending pending)) {
      return List.of();
    }
    own(pending);
    throttle();
    if (causes.isEmpty()) {
      PartitionConfig open = partitions();
      if (open != null) {
        limits(open);
        licences(open);
        reservation();
        nodes(open);
        reserved(open);
        room(open);
      }
    }
    return List.copyOf(causes);
  }

  private void own(JobState.Pending pending) {
    if (pending.hold() != Hold.NONE) {
      causes.add(new Cause.Held(pending.hold()));
    }
    if (pending.dependencyFailed() || !pending.waitingFor().isEmpty()) {
      List<Cause.Target> targets = new ArrayList<>();
      for (Dependency one : pending.waitingFor()) {
        targets.add(target(one, pending.dependencyFailed()));
      }
      boolean any = job.spec().dependency().any();
      causes.add(new Cause.DependsOn(List.copyOf(targets), any, pending.dependencyFailed()));
    }
    Instant again = pending.notBefore();
    Instant begin = job.spec().beginTime();
    if (begin != null && begin.isAfter(now) && (again == null || !again.isAfter(begin))) {
      causes.add(new Cause.BeginsLater(begin, false));
    } else if (again != null && again.isAfter(now)) {
      causes.add(new Cause.BeginsLater(again, true));
    }
    if (question.reason() != null && question.reason().equals(Reason.DEADLINE)) {
      Instant deadline = job.spec().deadline();
      causes.add(new Cause.MissesDeadline(deadline == null ? now : deadline));
    }
  }

  private Cause.Target target(Dependency one, boolean failed) {
    if (one.type() == DependencyType.SINGLETON) {
      return new Cause.Target(one.type(), "", Cause.Target.Standing.RUNS, null);
    }
    Integer index = one.taskIndex();
    Job task = index == null ? null : state.task(one.jobId(), index);
    List<Job> records =
        index == null ? state.records(one.jobId()) : task == null ? List.of() : List.of(task);
    String word = one.jobId() + (index == null ? "" : "_" + index);
    Cause.Target.Standing standing = Cause.Target.Standing.GONE;
    Instant until = null;
    boolean known = true;
    for (Job record : records) {
      Cause.Target.Standing its = standing(record, failed);
      standing = its.compareTo(standing) < 0 ? its : standing;
      JobState.Running run = record.state().underWay();
      Instant end = run == null ? null : run.latestEnd();
      known &= end != null || !(record.state() instanceof JobState.Pending) && run == null;
      until = end != null && (until == null || end.isAfter(until)) ? end : until;
    }
    return new Cause.Target(one.type(), word, standing, known ? until : null);
  }

  private static Cause.Target.Standing standing(Job record, boolean failed) {
    return switch (record.state()) {
      case JobState.Pending _ -> Cause.Target.Standing.WAITS;
      case JobState.Running _, JobState.Suspended _, JobState.Completing _ ->
          Cause.Target.Standing.RUNS;
      case JobState.Ended ended ->
          failed || !(ended.outcome() instanceof Outcome.Completed)
              ? Cause.Target.Standing.FAILED
              : Cause.Target.Standing.SUCCEEDED;
    };
  }

  private void throttle() {
    ArrayPart array = job.array();
    if (array != null && Throttle.reached(state, array)) {
      List<JobFact> running = new ArrayList<>();
      for (int id : state.arrayTasks(array.arrayJobId()).values()) {
        Job task = state.active().get(id);
        if (task != null) {
          running.add(question.fact(task));
        }
      }
      causes.add(new Cause.Throttled(Throttle.of(array), List.copyOf(running)));
    }
  }

  /** The first partition that lets it in, null if none does: then why none. */
  private @Nullable PartitionConfig partitions() {
    List<Cause> against = new ArrayList<>();
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        continue;
      }
      if (PartitionRules.closed(partition) != null) {
        against.add(new Cause.PartitionClosed(name, partition.state()));
        continue;
      }
      String rule = PartitionRules.forbids(state, partition, job.spec());
      if (rule != null) {
        against.add(Shortage.ofRule(state, partition, job.spec(), rule));
        continue;
      }
      if (Feasibility.configured(state, partition, job.spec())
          instanceof Feasibility.Answer.Possible) {
        return partition;
      }
      against.addAll(Shortage.ofNodes(state, partition, job.spec()));
    }
    causes.addAll(against);
    return null;
  }

  private void limits(PartitionConfig partition) {
    StartLimits limits = StartLimits.of(state, now);
    Breach breach = limits == null ? null : limits.breach(Demand.asked(job, partition));
    if (breach == null) {
      return;
    }
    List<Job> under = Levers.chargedTo(state, breach);
    List<JobFact> named =
        under.stream()
            .map(question::fact)
            .sorted(Comparator.comparingInt(JobFact::cpus).reversed())
            .limit(MOST_NAMED)
            .toList();
    causes.add(new Cause.LimitReached(breach, named, under.size() - named.size(), false));
  }

  private void licences(PartitionConfig partition) {
    LicenseRequest asked = job.spec().resources().more().licenses();
    if (asked == null || !asked.isReadable()) {
      return;
    }
    String own = job.spec().reservations().isEmpty() ? null : job.spec().reservations().getFirst();
    Instant end = PartitionRules.end(partition, job.spec(), now);
    List<License> held = state.licensesInUse();
    List<License> barred = state.licenseUse().barred(state.reservations(), own, now, end);
    if (asked.free(state.licenses(), barred) != null) {
      return;
    }
    for (License one : asked.ways().getFirst()) {
      String name = one.name();
      int total = License.count(state.licenses(), name);
      int out = License.count(barred, name);
      if (one.count() > total - out) {
        int inUse = License.count(held, name);
        List<JobFact> jobs =
            Levers.holdingLicence(state, name).stream()
                .limit(MOST_NAMED)
                .map(question::fact)
                .toList();
        causes.add(new Cause.LicensesTaken(name, total, inUse, out - inUse, one.count(), jobs));
      }
    }
  }

  private void reservation() {
    for (String name : job.spec().reservations()) {
      Reservation own = ReservedNodes.named(state, name);
      if (own != null && (!own.binds() || own.active(now))) {
        return;
      }
    }
    for (String name : job.spec().reservations()) {
      Reservation own = ReservedNodes.named(state, name);
      causes.add(new Cause.OwnReservation(name, own == null ? null : own.start(now)));
    }
  }

  private void nodes(PartitionConfig partition) {
    if (Feasibility.available(state, partition, job.spec())
        instanceof Feasibility.Answer.Possible) {
      return;
    }
    List<Cause.ClosedNode> closed = new ArrayList<>();
    for (NodeRecord node : closed(state, partition, job.spec())) {
      closed.add(closed(node));
    }
    if (!closed.isEmpty()) {
      int named = Math.min(MOST_NAMED, closed.size());
      causes.add(
          new Cause.NodesClosed(List.copyOf(closed.subList(0, named)), closed.size() - named));
    }
  }

  static Cause.ClosedNode closed(NodeRecord node) {
    NodeCondition condition = node.condition();
    Cause.NodeTrouble trouble =
        condition.drain()
            ? Cause.NodeTrouble.DRAINED
            : condition.down()
                ? Cause.NodeTrouble.DOWN
                : condition.fail() ? Cause.NodeTrouble.FAILING : Cause.NodeTrouble.SILENT;
    boolean silent = trouble == Cause.NodeTrouble.SILENT;
    String reason = condition.reason();
    return new Cause.ClosedNode(
        node.name(),
        trouble,
        reason == null ? "" : reason,
        silent ? node.silentSince() : condition.reasonTime());
  }

  /** Nodes of the kind wanted that take no jobs. */
  static List<NodeRecord> closed(ClusterState state, PartitionConfig partition, JobSpec spec) {
    List<NodeRecord> closed = new ArrayList<>();
    try {
      Need need =
          Feasibility.need(
              state, PartitionRules.freed(state, partition, spec), spec.resources(), -1);
      for (String name : partition.nodes()) {
        NodeRecord node = state.node(name);
        if (node != null && !node.available() && need.likes(node.config())) {
          closed.add(node);
        }
      }
    } catch (InvalidFeatureException e) {
      return List.of();
    }
    return closed;
  }

  private void reserved(PartitionConfig partition) {
    String reason = question.reason();
    if (reason == null || !reason.startsWith("ReqNodeNotAvail") && !isFor(reason)) {
      return;
    }
    for (Reservation one : Levers.closing(state, job, partition, now)) {
      causes.add(Levers.reserved(one, now));
    }
  }

  private static boolean isFor(String reason) {
    return reason.equals(Reason.NODES_DOWN);
  }

  private void room(PartitionConfig partition) {
    if (causes.isEmpty()) {
      causes.add(Shortage.room(state, partition, job.spec()));
    }
  }
}

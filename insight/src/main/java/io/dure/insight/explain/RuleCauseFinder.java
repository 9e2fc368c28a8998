package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.PendingReason;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.WaitCause;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyType;
import io.dure.model.reservation.Reservation;
import io.dure.placement.JobFeasibility;
import io.dure.rules.ArrayThrottle;
import io.dure.rules.PartitionRules;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.StartLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is against the start of a waiting job by the rules, looked at in the state alone. */
final class RuleCauseFinder {
  /** Jobs and nodes that are named at most for one cause. */
  static final int MOST_NAMED = 24;

  private final ExplanationQuery question;
  private final ClusterState state;
  private final Job job;
  private final Instant now;
  private final List<WaitCause> causes = new ArrayList<>();

  RuleCauseFinder(ExplanationQuery question) {
    this.question = question;
    state = question.state();
    job = question.job();
    now = question.now();
  }

  /** All causes, the most decisive first. Used once. */
  List<WaitCause> all() {
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
      causes.add(new WaitCause.Held(pending.hold()));
    }
    if (pending.dependencyFailed() || !pending.waitingFor().isEmpty()) {
      List<WaitCause.Target> targets = new ArrayList<>();
      for (Dependency one : pending.waitingFor()) {
        targets.add(target(one, pending.dependencyFailed()));
      }
      boolean any = job.spec().dependency().any();
      causes.add(new WaitCause.DependsOn(List.copyOf(targets), any, pending.dependencyFailed()));
    }
    Instant again = pending.notBefore();
    Instant begin = job.spec().beginTime();
    if (begin != null && begin.isAfter(now) && (again == null || !again.isAfter(begin))) {
      causes.add(new WaitCause.BeginsLater(begin, false));
    } else if (again != null && again.isAfter(now)) {
      causes.add(new WaitCause.BeginsLater(again, true));
    }
    if (question.reason() != null && question.reason().equals(PendingReason.DEADLINE)) {
      Instant deadline = job.spec().deadline();
      causes.add(new WaitCause.MissesDeadline(deadline == null ? now : deadline));
    }
  }

  private WaitCause.Target target(Dependency one, boolean failed) {
    if (one.type() == DependencyType.SINGLETON) {
      return new WaitCause.Target(one.type(), "", WaitCause.Target.Standing.RUNS, null);
    }
    Integer index = one.taskIndex();
    Job task = index == null ? null : state.task(one.jobId(), index);
    List<Job> records =
        index == null ? state.records(one.jobId()) : task == null ? List.of() : List.of(task);
    String word = one.jobId() + (index == null ? "" : "_" + index);
    WaitCause.Target.Standing standing = WaitCause.Target.Standing.GONE;
    Instant until = null;
    boolean known = true;
    for (Job record : records) {
      WaitCause.Target.Standing its = standing(record, failed);
      standing = its.compareTo(standing) < 0 ? its : standing;
      JobState.Running run = record.state().runningOrSuspended();
      Instant end = run == null ? null : run.latestEnd();
      known &= end != null || !(record.state() instanceof JobState.Pending) && run == null;
      until = end != null && (until == null || end.isAfter(until)) ? end : until;
    }
    return new WaitCause.Target(one.type(), word, standing, known ? until : null);
  }

  private static WaitCause.Target.Standing standing(Job record, boolean failed) {
    return switch (record.state()) {
      case JobState.Pending _ -> WaitCause.Target.Standing.WAITS;
      case JobState.Running _, JobState.Suspended _, JobState.Completing _ ->
          WaitCause.Target.Standing.RUNS;
      case JobState.Ended ended ->
          failed || !(ended.outcome() instanceof JobOutcome.Completed)
              ? WaitCause.Target.Standing.FAILED
              : WaitCause.Target.Standing.SUCCEEDED;
    };
  }

  private void throttle() {
    ArrayPart array = job.array();
    if (array != null && ArrayThrottle.reached(state, array)) {
      List<RelatedJob> running = new ArrayList<>();
      for (int id : state.arrayTasks(array.arrayJobId()).values()) {
        Job task = state.active().get(id);
        if (task != null) {
          running.add(question.fact(task));
        }
      }
      causes.add(new WaitCause.Throttled(ArrayThrottle.limit(array), List.copyOf(running)));
    }
  }

  /** The first partition that lets it in, null if none does: then why none. */
  private @Nullable PartitionConfig partitions() {
    List<WaitCause> against = new ArrayList<>();
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        continue;
      }
      if (PartitionRules.closedReason(partition) != null) {
        against.add(new WaitCause.PartitionClosed(name, partition.state()));
        continue;
      }
      String rule = PartitionRules.refusalReason(state, partition, job.spec());
      if (rule != null) {
        against.add(ShortageFinder.ofRule(state, partition, job.spec(), rule));
        continue;
      }
      if (JobFeasibility.configured(state, partition, job.spec())
          instanceof JobFeasibility.Answer.Possible) {
        return partition;
      }
      against.addAll(ShortageFinder.ofNodes(state, partition, job.spec()));
    }
    causes.addAll(against);
    return null;
  }

  private void limits(PartitionConfig partition) {
    StartLimits limits = StartLimits.of(state, now);
    LimitBreach breach = limits == null ? null : limits.breach(JobDemand.asked(job, partition));
    if (breach == null) {
      return;
    }
    List<Job> under = Blockers.chargedTo(state, breach);
    List<RelatedJob> named =
        under.stream()
            .map(question::fact)
            .sorted(Comparator.comparingInt(RelatedJob::cpus).reversed())
            .limit(MOST_NAMED)
            .toList();
    causes.add(new WaitCause.LimitReached(breach, named, under.size() - named.size(), false));
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
        List<RelatedJob> jobs =
            Blockers.holdingLicence(state, name).stream()
                .limit(MOST_NAMED)
                .map(question::fact)
                .toList();
        causes.add(new WaitCause.LicensesTaken(name, total, inUse, out - inUse, one.count(), jobs));
      }
    }
  }

  private void reservation() {
    for (String name : job.spec().reservations()) {
      Reservation own = state.reservation(name);
      if (own != null && (!own.binds() || own.active(now))) {
        return;
      }
    }
    for (String name : job.spec().reservations()) {
      Reservation own = state.reservation(name);
      causes.add(new WaitCause.OwnReservation(name, own == null ? null : own.start(now)));
    }
  }

  private void nodes(PartitionConfig partition) {
    if (JobFeasibility.available(state, partition, job.spec())
        instanceof JobFeasibility.Answer.Possible) {
      return;
    }
    List<WaitCause.ClosedNode> closed = new ArrayList<>();
    for (NodeRecord node : Blockers.closed(state, partition, job.spec())) {
      closed.add(closed(node));
    }
    if (!closed.isEmpty()) {
      int named = Math.min(MOST_NAMED, closed.size());
      causes.add(
          new WaitCause.NodesClosed(List.copyOf(closed.subList(0, named)), closed.size() - named));
    }
  }

  static WaitCause.ClosedNode closed(NodeRecord node) {
    NodeCondition condition = node.condition();
    WaitCause.NodeTrouble trouble =
        switch (node.life()) {
          case NodeLife.Plain.DOWN ->
              condition.drain() ? WaitCause.NodeTrouble.DRAINED : WaitCause.NodeTrouble.DOWN;
          case NodeLife.Plain.DRAINING -> WaitCause.NodeTrouble.DRAINED;
          case NodeLife.Plain.FAILING -> WaitCause.NodeTrouble.FAILING;
          case NodeLife.Plain.UP, NodeLife.Plain.SILENT -> WaitCause.NodeTrouble.SILENT;
          case NodeLife.PoweredDown _, NodeLife.PoweringUp _, NodeLife.PoweringDown _ ->
              WaitCause.NodeTrouble.SILENT;
          case NodeLife.Rebooting _, NodeLife.Lent _ -> WaitCause.NodeTrouble.SILENT;
        };
    boolean silent = trouble == WaitCause.NodeTrouble.SILENT;
    String reason = condition.reason();
    return new WaitCause.ClosedNode(
        node.name(),
        trouble,
        reason == null ? "" : reason,
        silent ? node.silentSince() : condition.reasonTime());
  }

  private void reserved(PartitionConfig partition) {
    String reason = question.reason();
    if (reason == null || !reason.startsWith("ReqNodeNotAvail") && !isFor(reason)) {
      return;
    }
    for (Reservation one : Blockers.closing(state, job, partition, now)) {
      causes.add(Blockers.reserved(one, now));
    }
  }

  private static boolean isFor(String reason) {
    return reason.equals(PendingReason.NODES_DOWN);
  }

  private void room(PartitionConfig partition) {
    if (causes.isEmpty()) {
      causes.add(ShortageFinder.room(state, partition, job.spec()));
    }
  }
}

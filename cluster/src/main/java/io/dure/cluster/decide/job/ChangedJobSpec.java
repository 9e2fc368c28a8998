package io.dure.cluster.decide.job;

import io.dure.model.command.JobChange;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.placement.admission.ResourceChecks;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job asks for once {@code scontrol update job} has changed it. All functions are pure. */
public final class ChangedJobSpec {
  private static final JobChange.NodeShape SAME_NODES = new JobChange.NodeShape(null, null, null);

  private ChangedJobSpec() {}

  static @Nullable Duration durationOf(TimeLimit limit) {
    return switch (limit) {
      case TimeLimit.Limited(Duration duration) -> duration;
      case TimeLimit.Unlimited _, TimeLimit.PartitionDefault _ -> null;
    };
  }

  static TimeLimit newLimit(JobSpec spec, JobChange change) {
    if (change.timeLimit() != null) {
      return change.timeLimit();
    }
    Duration before = durationOf(spec.timeLimit());
    if (change.timeLimitDelta() == null || before == null) {
      return spec.timeLimit();
    }
    long most = ResourceChecks.MOST_MINUTES;
    long delta = Math.clamp(change.timeLimitDelta(), -most, most);
    long minutes = Math.clamp(before.toMinutes() + delta, 1, most);
    return TimeLimit.minutes(minutes);
  }

  /** The request after the change. */
  public static JobSpec of(JobSpec spec, JobChange change) {
    JobSpec next =
        spec.with()
            .timeLimit(newLimit(spec, change))
            .name(or(change.name(), spec.name()))
            .partitions(or(change.partitions(), spec.partitions()))
            .account(text(change.account(), spec.account()))
            .qos(text(change.qos(), spec.qos()))
            .comment(text(change.comment(), spec.comment()))
            .wckey(text(change.wckey(), spec.wckey()))
            .adminComment(text(change.adminComment(), spec.adminComment()))
            .timeMin(least(change.timeMin(), spec.timeMin()))
            .beginTime(change.beginTime() == null ? spec.beginTime() : change.beginTime())
            .deadline(change.deadline() == null ? spec.deadline() : change.deadline())
            .dependency(or(change.dependency(), spec.dependency()))
            .priority(change.priority() == null ? spec.priority() : change.priority())
            .nice(or(change.nice(), spec.nice()))
            .siteFactor(or(change.siteFactor(), spec.siteFactor()))
            .reservations(or(change.reservations(), spec.reservations()))
            .requeue(or(change.requeue(), spec.requeue()))
            .mailType(text(change.mailType(), spec.mailType()))
            .mailUser(text(change.mailUser(), spec.mailUser()))
            .resources(shape(spec.resources(), change.shape()))
            .build();
    return JobRebootRules.changed(next, change.reboot());
  }

  private static @Nullable Duration least(@Nullable Duration change, @Nullable Duration now) {
    return change == null ? now : change.isZero() ? null : change;
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable String text(@Nullable String change, @Nullable String now) {
    return change == null ? now : emptyToNull(change);
  }

  private static ResourceRequest shape(ResourceRequest now, JobChange.ResourceChange change) {
    int minNodes = or(change.minNodes(), now.minNodes());
    List<String> required = or(change.requiredNodes(), now.requiredNodes());
    int cpusPerTask = or(change.cpusPerTask(), now.cpusPerTask());
    Integer tasks = change.tasks();
    if (tasks == null && change.cpus() != null) {
      cpusPerTask = Math.min(cpusPerTask, change.cpus());
      tasks = Math.ceilDiv(change.cpus(), Math.max(1, cpusPerTask));
    }
    JobChange.NodeShape nodes = or(change.shape(), SAME_NODES);
    return new ResourceRequest(
        minNodes,
        Math.max(
            minNodes, or(change.maxNodes(), change.minNodes() == null ? now.maxNodes() : minNodes)),
        Math.max(minNodes, or(tasks, now.tasks())),
        cpusPerTask,
        change.tasksPerNode() == null ? now.tasksPerNode() : change.tasksPerNode(),
        or(change.minCpusPerNode(), now.minCpusPerNode()),
        or(change.memory(), now.memory()),
        or(change.tmpDiskMib(), now.tmpDiskMib()),
        or(change.sharing(), now.sharing()),
        required,
        or(change.excludedNodes(), now.excludedNodes()),
        text(change.features(), now.features()),
        or(change.contiguous(), now.contiguous()),
        now.overcommit(),
        nodes.sockets() == null ? now.socketsPerNode() : nodes.sockets(),
        nodes.cores() == null ? now.coresPerSocket() : nodes.cores(),
        nodes.threads() == null ? now.threadsPerCore() : nodes.threads(),
        gres(now, change),
        further(now, change));
  }

  private static ResourceRequest.@Nullable RareOptions further(
      ResourceRequest now, JobChange.ResourceChange change) {
    if (change.licenses() == null && change.reach() == null && change.kept() == null) {
      return now.further();
    }
    ResourceRequest.RareOptions more = now.more();
    if (change.licenses() != null) {
      more = more.withLicenses(LicenseRequest.of(emptyToNull(change.licenses())));
    }
    if (change.reach() != null) {
      more = more.withReach(reach(now.reach(), change.reach()));
    }
    if (change.kept() != null) {
      more = more.withKept(kept(more.shown(), change.kept()));
    }
    return more.equals(ResourceRequest.RareOptions.NONE) ? null : more;
  }

  private static ResourceRequest.@Nullable NodePreferences reach(
      ResourceRequest.NodePreferences now, JobChange.Reach change) {
    ResourceRequest.NodePreferences next = now.withPrefer(text(change.prefer(), now.prefer()));
    if (change.switches() != null) {
      boolean any = change.switches() == 0;
      next =
          next.withSwitches(any ? null : change.switches())
              .withSwitchWait(any ? null : change.switchWait());
    }
    return next.equals(ResourceRequest.NodePreferences.NONE) ? null : next;
  }

  private static @Nullable KeptOptions kept(KeptOptions now, KeptOptions change) {
    KeptOptions next =
        now.with()
            .network(text(change.network(), now.network()))
            .burstBuffer(text(change.burstBuffer(), now.burstBuffer()))
            .clusterFeatures(text(change.clusterFeatures(), now.clusterFeatures()))
            .mcsLabel(text(change.mcsLabel(), now.mcsLabel()))
            .extra(text(change.extra(), now.extra()))
            .tresBind(text(change.tresBind(), now.tresBind()))
            .gpuFrequency(text(change.gpuFrequency(), now.gpuFrequency()))
            .delayBoot(least(change.delayBoot(), now.delayBoot()))
            .build();
    return next.equals(KeptOptions.NONE) ? null : next;
  }

  private static @Nullable GresRequest gres(ResourceRequest now, JobChange.ResourceChange change) {
    if (change.gres() == null) {
      return now.gres();
    }
    GresRequest next = now.gresOrNone().changedBy(change.gres());
    return next.equals(GresRequest.NONE) ? null : next;
  }

  private static <T> T or(@Nullable T change, T now) {
    return change == null ? now : change;
  }
}

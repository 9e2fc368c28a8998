package io.dure.twin;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountAndQos;
import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.config.PartitionConfig;
import io.dure.model.request.JobSpec;
import io.dure.placement.JobFeasibility;
import io.dure.rules.SchedulerView;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.QosPrecedence;
import io.dure.rules.limits.SubmitLimits;
import org.jspecify.annotations.Nullable;

/** Whether jobs are taken when they come: what a controller asks of a submission. */
final class TraceJobAdmission {
  private final ReplayMachine machine;
  private final @Nullable AccountingTree accounts;

  /** What becomes of a submission. */
  sealed interface Answer {
    /** It waits, asking for this. */
    record Taken(JobSpec spec) implements Answer {}

    /** It is sent away. */
    record Refused(String why) implements Answer {}
  }

  TraceJobAdmission(ReplayMachine machine, @Nullable AccountingTree accounts) {
    this.machine = machine;
    this.accounts = accounts;
  }

  /**
   * What becomes of a job that comes.
   *
   * @param queued what waits and runs, by accounts
   */
  Answer of(String user, JobSpec spec, SchedulerView cluster, OwnerJobCounts queued) {
    for (String partition : spec.partitions()) {
      if (machine.partition(partition) == null) {
        return new Answer.Refused("there is no partition " + partition);
      }
    }
    if (spec.partitions().isEmpty()) {
      return new Answer.Refused("no partition is named, and there is no default one");
    }
    return accounts == null ? fits(spec, cluster) : charged(accounts, user, spec, cluster, queued);
  }

  private Answer charged(
      AccountingTree tree,
      String user,
      JobSpec spec,
      SchedulerView cluster,
      OwnerJobCounts queued) {
    AccountingEnforcement enforced = machine.settings().priority().enforced();
    AccountAndQos.Answer answer =
        AccountAndQos.of(tree, enforced, user, spec.account(), spec.qos(), spec.partitions());
    return switch (answer) {
      case AccountAndQos.Answer.NoAccount _ -> new Answer.Refused(ErrorCode.INVALID_ACCOUNT.text());
      case AccountAndQos.Answer.NoQos _ -> new Answer.Refused(ErrorCode.INVALID_QOS.text());
      case AccountAndQos.Answer.Granted(AccountAndQos member) -> {
        JobSpec whole = TraceJobRecords.with(spec, member);
        String over = enforced.limits() ? tooMany(tree, user, whole, queued) : null;
        yield over == null
            ? fits(whole, cluster)
            : new Answer.Refused(ErrorCode.ACCOUNTING_POLICY.text() + ": " + over);
      }
    };
  }

  private @Nullable String tooMany(
      AccountingTree tree, String user, JobSpec spec, OwnerJobCounts queued) {
    QosPrecedence order = QosPrecedence.of(tree, machine.partitions());
    SubmitLimits limits = new SubmitLimits(order, queued);
    for (String name : spec.partitions()) {
      PartitionConfig partition = machine.partition(name);
      String reason =
          partition == null ? null : limits.reason(JobDemand.asked(user, spec, partition), 1);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private Answer fits(JobSpec spec, SchedulerView cluster) {
    JobFeasibility.Answer answer =
        JobFeasibility.submission(
            cluster, spec.partitions(), spec, machine.settings().jobs().enforcePartLimits());
    return switch (answer) {
      case JobFeasibility.Answer.Refused(var code, String detail) ->
          new Answer.Refused(detail.isEmpty() ? code.text() : code.text() + ": " + detail);
      case JobFeasibility.Answer.Possible _, JobFeasibility.Answer.Waits _ ->
          new Answer.Taken(spec);
    };
  }
}

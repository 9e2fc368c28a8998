package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Enforcement;
import io.dure.core.accounting.Membership;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.JobSpec;
import io.dure.core.scheduler.Feasibility;
import io.dure.core.scheduler.limits.Demand;
import io.dure.core.scheduler.limits.QosOrder;
import io.dure.core.scheduler.limits.SubmitLimits;
import org.jspecify.annotations.Nullable;

/** Whether jobs are taken when they come: what a controller asks of a submission. */
final class Admission {
  private final Machine machine;
  private final @Nullable AccountingTree accounts;

  /** What becomes of a job. */
  sealed interface Answer {
    /** It waits, asking for this. */
    record Taken(JobSpec spec) implements Answer {}

    /** It is sent away. */
    record Refused(String why) implements Answer {}
  }

  Admission(Machine machine, @Nullable AccountingTree accounts) {
    this.machine = machine;
    this.accounts = accounts;
  }

  Answer of(String user, JobSpec spec, TwinCluster cluster) {
    for (String partition : spec.partitions()) {
      if (machine.partition(partition) == null) {
        return new Answer.Refused("there is no partition " + partition);
      }
    }
    if (spec.partitions().isEmpty()) {
      return new Answer.Refused("no partition is named, and there is no default one");
    }
    return accounts == null ? fits(spec, cluster) : charged(accounts, user, spec, cluster);
  }

  private Answer charged(AccountingTree tree, String user, JobSpec spec, TwinCluster cluster) {
    Enforcement enforced = machine.settings().priority().enforced();
    Membership.Answer answer =
        Membership.of(tree, enforced, user, spec.account(), spec.qos(), spec.partitions());
    return switch (answer) {
      case Membership.Answer.NoAccount _ -> new Answer.Refused(ErrorCode.INVALID_ACCOUNT.text());
      case Membership.Answer.NoQos _ -> new Answer.Refused(ErrorCode.INVALID_QOS.text());
      case Membership.Answer.Granted(Membership member) -> {
        JobSpec whole = TwinJobs.with(spec, member);
        String over = enforced.limits() ? tooMany(tree, user, whole, cluster) : null;
        yield over == null
            ? fits(whole, cluster)
            : new Answer.Refused(ErrorCode.ACCOUNTING_POLICY.text() + ": " + over);
      }
    };
  }

  private @Nullable String tooMany(
      AccountingTree tree, String user, JobSpec spec, TwinCluster cluster) {
    QosOrder order = QosOrder.of(tree, machine.partitions());
    SubmitLimits limits = new SubmitLimits(order, cluster.queued());
    for (String name : spec.partitions()) {
      PartitionConfig partition = machine.partition(name);
      String reason =
          partition == null ? null : limits.reason(Demand.asked(user, spec, partition), 1);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private Answer fits(JobSpec spec, TwinCluster cluster) {
    Feasibility.Answer answer =
        Feasibility.submission(
            cluster.view(), spec.partitions(), spec, machine.settings().jobs().enforcePartLimits());
    return switch (answer) {
      case Feasibility.Answer.Refused(var code, String detail) ->
          new Answer.Refused(detail.isEmpty() ? code.text() : code.text() + ": " + detail);
      case Feasibility.Answer.Possible _, Feasibility.Answer.Waits _ -> new Answer.Taken(spec);
    };
  }
}

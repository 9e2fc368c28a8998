package io.dure.cluster;

import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageElsewhere;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.rules.limits.ChargeCalculator;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What events make of accounts and of what is used; part of {@link EventApplier}. */
final class AccountingEventApplier {
  private AccountingEventApplier() {}

  private static PrioritySettings settings(ClusterState.StateBuilder parts) {
    return parts.config.settings().priority();
  }

  private static UsageDecay decay(ClusterState.StateBuilder parts) {
    return UsageDecay.of(settings(parts).halfLife());
  }

  static void changed(ClusterState.StateBuilder parts, Event.AccountingChanged e) {
    AccountingTree before = parts.accounts;
    try {
      parts.accounts = before.with(e.changes());
    } catch (InvalidAccountingException invalid) {
      throw new IllegalStateException(e + " in version " + before.version(), invalid);
    }
    boolean moved = false;
    for (AccountingChange change : e.changes()) {
      switch (change) {
        case AccountingChange.UsageCleared(int id) -> {
          Association from = parts.accounts.associations().get(id);
          if (from != null) {
            parts.usage = parts.usage.cleared(parts.accounts, from, e.at(), decay(parts));
          }
        }
        case AccountingChange.QosUsageCleared(String name) -> {
          Qos one = parts.accounts.qos(name);
          if (one != null) {
            parts.usage = parts.usage.cleared(one, e.at());
          }
        }
        case AccountingChange.QosSet(Qos next) -> settle(parts, before, next, e.at());
        case AccountingChange.AssociationSet(Association next) -> {
          Association known = before.associations().get(next.id());
          moved |=
              known == null
                  ? parts.usage.elsewhere() != null // it may have been used there
                  : !Objects.equals(known.parent(), next.parent());
        }
        case AccountingChange.AssociationRemoved _, AccountingChange.QosRemoved _ -> moved = true;
        case AccountingChange.FederationsSet _,
            AccountingChange.ResourceSet _,
            AccountingChange.ResourceRemoved _,
            AccountingChange.AccountSet _,
            AccountingChange.AccountRemoved _,
            AccountingChange.UserSet _,
            AccountingChange.UserRemoved _ -> {}
      }
    }
    if (moved) {
      parts.usage = parts.usage.forTree(parts.accounts, e.at(), decay(parts));
    }
  }

  static void replaced(ClusterState.StateBuilder parts, Event.AccountingReplaced e) {
    parts.usage = parts.usage.accruedTo(parts.accounts, e.at(), decay(parts));
    parts.accounts = AccountingTree.of(e.accounts());
    parts.usage = parts.usage.forTree(parts.accounts, e.at(), decay(parts));
  }

  static void usedElsewhere(ClusterState.StateBuilder parts, Event.UsageElsewhereChanged e) {
    parts.usage =
        parts.usage.withElsewhere(
            new UsageElsewhere.News(
                e.changed(), e.clusters(), Objects.requireNonNullElse(e.whole(), List.of())),
            parts.accounts,
            e.at(),
            decay(parts));
  }

  /** The usage of a QOS that decays from now on, or does not any more. */
  private static void settle(
      ClusterState.StateBuilder parts, AccountingTree before, Qos next, Instant at) {
    if (before.qos(next.name()) != null) {
      parts.usage = parts.usage.accruedTo(before, at, decay(parts));
    }
  }

  /** What was used until now fades by the old configuration, and counts towards a reset. */
  static void configured(ClusterState.StateBuilder parts, Event.Configured e) {
    PrioritySettings next = e.config().settings().priority();
    if (!decay(parts).equals(UsageDecay.of(next.halfLife()))) {
      parts.usage = parts.usage.accruedTo(parts.accounts, e.at(), decay(parts));
    }
    if (next.reset() != PrioritySettings.Reset.NONE) {
      parts.usage = parts.usage.counting(e.at());
    }
  }

  /** The same allocation with what is billed for it from now on. */
  static Allocation billed(ClusterState.StateBuilder parts, Allocation allocation) {
    PartitionConfig partition = partition(parts, allocation.partition());
    TresAmounts held = TresAmounts.of(allocation);
    return allocation.withBilling((long) ChargeCalculator.billed(settings(parts), partition, held));
  }

  static void started(ClusterState.StateBuilder parts, Job job, Allocation allocation, Instant at) {
    charged(parts, job, charge(parts, job, allocation), at);
  }

  /** What a job holds that waits for its turn counts; the time does not. */
  static void waits(ClusterState.StateBuilder parts, Job job, Allocation allocation, Instant at) {
    JobCharge charge = charge(parts, job, allocation);
    charged(parts, job, charge == null ? null : charge.still(), at);
  }

  private static @Nullable JobCharge charge(
      ClusterState.StateBuilder parts, Job job, Allocation allocation) {
    PartitionConfig partition = partition(parts, allocation.partition());
    return ChargeCalculator.of(parts.accounts, settings(parts), partition, job, allocation);
  }

  private static void charged(
      ClusterState.StateBuilder parts, Job job, @Nullable JobCharge charge, Instant at) {
    if (charge != null) {
      parts.usage = parts.usage.started(parts.accounts, job.id(), charge, at, decay(parts));
    }
  }

  static @Nullable PartitionConfig partition(ClusterState.StateBuilder parts, String name) {
    for (PartitionConfig partition : parts.partitions) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }

  /** Jobs of which there is another attempt, or none any more, stay as they are. */
  static void corrected(ClusterState.StateBuilder parts, Event.JobsCorrected e) {
    for (AttemptId attempt : e.attempts()) {
      Job job = parts.job(attempt.jobId());
      if (job != null && AttemptId.of(job).equals(attempt)) {
        parts.put(e.correction().of(job));
      }
    }
  }

  static void ended(ClusterState.StateBuilder parts, int jobId, Instant at) {
    parts.usage = parts.usage.ended(parts.accounts, jobId, at, decay(parts));
  }
}

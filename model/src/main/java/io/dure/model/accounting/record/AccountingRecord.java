package io.dure.model.accounting.record;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.job.Job;
import io.dure.model.jobtext.TextId;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record for the accounting database. Components are only ever added at the end, as those of
 * events are.
 */
public sealed interface AccountingRecord {
  /**
   * An attempt of a job as it is now; replaces what was recorded of it before.
   *
   * @param job the job, in the state of the attempt
   * @param requeued whether the job went back into the queue after it
   * @param askedBilling what it would be billed in a second for what it asks for, in whole units;
   *     null for its CPUs
   */
  record JobAttempt(AttemptId attempt, Job job, boolean requeued, @Nullable Long askedBilling)
      implements AccountingRecord {
    static final String TAG = "JobAttempt";

    /** One that is billed by its CPUs. */
    public JobAttempt(AttemptId attempt, Job job, boolean requeued) {
      this(attempt, job, requeued, null);
    }
  }

  /**
   * A step began.
   *
   * @param step its number, as {@link io.dure.model.step.StepName} has it
   * @param at when
   * @param nodes its nodes, as a host list
   * @param tasks how many tasks it has
   * @param launched what it asked for and has, null for {@code batch} and {@code extern}
   */
  record StepBegun(
      AttemptId attempt,
      int step,
      Instant at,
      String nodes,
      int tasks,
      @Nullable LaunchedStep launched)
      implements AccountingRecord {
    static final String TAG = "StepBegun";
  }

  /**
   * A text of a batch job, its script or its environment; not told again soon if others share it.
   *
   * @param text what it says
   */
  record JobText(AttemptId attempt, TextId id, String text) implements AccountingRecord {
    static final String TAG = "JobText";
  }

  /**
   * A step ended on some of its nodes.
   *
   * @param step its number, as {@link io.dure.model.step.StepName} has it
   * @param exit the worst end of these nodes
   * @param at when
   * @param used what it used there, null where that is not known or told by another part
   * @param over whether it has ended on all of its nodes
   */
  record StepPart(
      AttemptId attempt,
      int step,
      ExitStatus exit,
      Instant at,
      @Nullable StepConsumption used,
      boolean over)
      implements AccountingRecord {
    static final String TAG = "StepPart";
  }

  /**
   * A run was suspended, or goes on.
   *
   * @param start when it was suspended
   * @param end when it went on or ended, null while it is suspended
   */
  record JobPause(AttemptId attempt, Instant start, @Nullable Instant end)
      implements AccountingRecord {
    static final String TAG = "JobPause";
  }

  /**
   * A node takes no jobs, for this reason from then on, or takes jobs again.
   *
   * @param state by Slurm's word, empty where it takes jobs again
   * @param reason why, empty for no reason
   * @param reasonUid user that set the reason
   * @param tres what the cluster lacks without it
   */
  record NodeOutage(
      String node, Instant at, String state, String reason, int reasonUid, TresAmounts tres)
      implements AccountingRecord {
    static final String TAG = "NodeOutage";
  }

  /**
   * All nodes that take no jobs; what was told of others before is over.
   *
   * @param nodes their names as a host list
   */
  record NodesOut(Instant at, String nodes) implements AccountingRecord {
    static final String TAG = "NodesOut";
  }

  /**
   * What the cluster has from then on.
   *
   * @param nodes its nodes, as a host list
   * @param nodeCount how many they are
   * @param tres what they have together
   */
  record ClusterCapacity(Instant at, String nodes, int nodeCount, TresAmounts tres)
      implements AccountingRecord {
    static final String TAG = "ClusterCapacity";
  }

  /**
   * Something of the accounts changed.
   *
   * @param actor login name of the user that changed it, empty where that is not known
   * @param action what was done, by Slurm's words, such as {@code Add Users}
   * @param where what it was done to
   * @param info what it is now
   */
  record AccountsChange(Instant at, String actor, String action, String where, String info)
      implements AccountingRecord {
    static final String TAG = "AccountsChange";

    /** The action of a correction of a job. */
    public static final String MODIFY_JOB = "Modify Job";

    /** The action of the end of a job that its cluster does not have. */
    public static final String FIX_RUNAWAY_JOBS = "Fix Runaway Jobs";
  }

  /**
   * A reservation was made, is another one from then on, or is gone.
   *
   * @param at when that was
   * @param id its number
   * @param start when it begins
   * @param end when it ends
   * @param nodes its nodes, as a host list
   * @param tres what it has of them
   * @param flags by Slurm's words
   * @param users login names that may use it, or may not with a minus
   * @param accounts accounts likewise
   * @param over whether it is gone
   */
  record ReservationTime(
      Instant at,
      int id,
      String name,
      Instant start,
      Instant end,
      String nodes,
      TresAmounts tres,
      List<String> flags,
      List<String> users,
      List<String> accounts,
      boolean over)
      implements AccountingRecord {
    static final String TAG = "ReservationTime";

    public ReservationTime {
      flags = List.copyOf(flags);
      users = List.copyOf(users);
      accounts = List.copyOf(accounts);
    }
  }

  /**
   * A job is over for good, or a run of a crontab's job is. It is for JobCompType alone, and made
   * only where that wants it.
   */
  record JobOver(AttemptId attempt, Job job) implements AccountingRecord {
    static final String TAG = "JobOver";
  }

  /** Something of an attempt is put right that the cluster does not have any more. */
  record JobCorrected(AttemptId attempt, JobCorrection correction) implements AccountingRecord {
    static final String TAG = "JobCorrected";
  }
}

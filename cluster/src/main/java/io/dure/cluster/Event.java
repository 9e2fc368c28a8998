package io.dure.cluster;

import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.cron.Crontab;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.hook.Trigger;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.jobtext.TextId;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.Dependency;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.reservation.Reservation;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fact: something that happened, as the journal keeps it. Components are only ever added at the
 * end (docs/decisions/0007), so that every journal ever written can be replayed.
 */
public sealed interface Event {

  /** The configuration in force changed; jobs, and what is held against nodes, stay. */
  record Configured(ClusterConfig config, Instant at) implements Event {
    static final String TAG = "Configured";
  }

  /** The controller started: no node daemon is connected. */
  record ControllerStarted(Instant at) implements Event {
    static final String TAG = "ControllerStarted";
  }

  /** A text came that no other job has; its job follows. It is kept while a job refers to it. */
  record TextStored(TextId id, String text) implements Event {
    static final String TAG = "TextStored";
  }

  /**
   * A job was accepted.
   *
   * @param het place in a heterogeneous job, null for none; all its components come in one decision
   */
  record JobSubmitted(
      int jobId,
      Instant at,
      UserIdentity owner,
      JobSpec spec,
      Workload workload,
      long priority,
      Hold hold,
      List<Dependency> waitingFor,
      @Nullable String requestId,
      @Nullable HetComponent het)
      implements Event {
    static final String TAG = "JobSubmitted";
  }

  /** A pending job was held. */
  record JobHeld(int jobId, Hold hold) implements Event {
    static final String TAG = "JobHeld";
  }

  /** A hold ended; the job has this priority again. */
  record JobReleased(int jobId, long priority) implements Event {
    static final String TAG = "JobReleased";
  }

  /**
   * What a job asks for changed.
   *
   * @param end when it now ends if it runs, null for never or if it does not run
   */
  record JobUpdated(int jobId, JobSpec spec, long priority, @Nullable Instant end)
      implements Event {
    static final String TAG = "JobUpdated";
  }

  /** Output paths of a pending job changed, null ones as in {@link Workload.BatchSpec}. */
  record JobOutputChanged(int jobId, Workload.BatchSpec summary) implements Event {
    static final String TAG = "JobOutputChanged";
  }

  /** The throttle of an array changed. */
  record ArrayThrottled(int arrayJobId, int throttle) implements Event {
    static final String TAG = "ArrayThrottled";
  }

  /** A waiting task got a record of its own; the last one keeps the array's. */
  record ArrayTaskSplit(int arrayJobId, int taskIndex, int taskJobId) implements Event {
    static final String TAG = "ArrayTaskSplit";
  }

  /** Conditions on other jobs came true, or turned out never to. */
  record DependencyChanged(int jobId, List<Dependency> waitingFor, boolean failed)
      implements Event {
    static final String TAG = "DependencyChanged";
  }

  /**
   * Nothing but resources and order keeps the job any more.
   *
   * @param age how its age counts; null for from then on
   */
  record JobEligible(int jobId, Instant at, @Nullable Age age) implements Event {
    static final String TAG = "JobEligible";

    /** A job whose age counts from then on. */
    public JobEligible(int jobId, Instant at) {
      this(jobId, at, null);
    }
  }

  /** How the age of a job counts of whose kind only some may grow older at a time. */
  enum Age {
    /** The job can start now, and its age does not count yet. */
    WAITS,
    /** It could have started before, and its age counts from now on. */
    COUNTS
  }

  /**
   * Resources were given; the script is on its way.
   *
   * @param configuring true if PrologSlurmctld has to run first
   * @param contained whether it has a step {@code extern} on all of its nodes
   */
  record JobStarted(
      int jobId,
      int run,
      Allocation allocation,
      Instant at,
      @Nullable Instant end,
      boolean configuring,
      boolean contained)
      implements Event {
    static final String TAG = "JobStarted";
  }

  /**
   * PrologSlurmctld is over: the script is on its way now.
   *
   * @param end when the limit ends the run, which counts from now; null for never
   */
  record JobConfigured(int jobId, int run, Instant at, @Nullable Instant end) implements Event {
    static final String TAG = "JobConfigured";
  }

  /** The batch host took the script. */
  record JobLaunched(int jobId, int run) implements Event {
    static final String TAG = "JobLaunched";
  }

  /** The signal before the limit was sent. */
  record JobWarned(int jobId, int run) implements Event {
    static final String TAG = "JobWarned";
  }

  /**
   * A run is over, nodes are to be cleaned.
   *
   * @param epilog true if EpilogSlurmctld has to run
   */
  record JobEnding(
      int jobId,
      int run,
      JobOutcome outcome,
      Instant at,
      List<String> nodesLeft,
      PostRunAction afterwards,
      boolean epilog)
      implements Event {
    static final String TAG = "JobEnding";
  }

  /** EpilogSlurmctld is over. */
  record JobEpilogEnded(int jobId, int run) implements Event {
    static final String TAG = "JobEpilogEnded";
  }

  /** The script's exit status arrived after its run was declared over. */
  record JobExitKnown(int jobId, int run, ExitStatus exit) implements Event {
    static final String TAG = "JobExitKnown";
  }

  /** A job that was to go back into the queue ends instead. */
  record RequeueRevoked(int jobId, JobOutcome outcome) implements Event {
    static final String TAG = "RequeueRevoked";
  }

  /** A node holds nothing of the run any more. */
  record NodeReleased(int jobId, int run, String node, Instant at) implements Event {
    static final String TAG = "NodeReleased";
  }

  /**
   * A job that runs or is suspended goes on without nodes, which are lost or given back.
   *
   * @param nodes their names, as a host list
   * @param exit the end of what its steps had there
   */
  record AllocationShrunk(int jobId, int run, String nodes, ExitStatus exit, Instant at)
      implements Event {
    static final String TAG = "AllocationShrunk";
  }

  /** All nodes are clean and the job is over for good. */
  record JobFinished(int jobId) implements Event {
    static final String TAG = "JobFinished";
  }

  /** The job is back in the queue; journals of older releases do not say since when. */
  record JobRequeued(
      int jobId,
      Hold hold,
      Instant notBefore,
      long priority,
      boolean countsAsRestart,
      @Nullable Instant at)
      implements Event {
    static final String TAG = "JobRequeued";
  }

  /**
   * A pending job ended without running.
   *
   * @param reason what it last waited for, null if that is not known
   */
  record JobDropped(int jobId, JobOutcome outcome, Instant at, @Nullable String reason)
      implements Event {
    static final String TAG = "JobDropped";
  }

  /** Finished jobs were forgotten. */
  record JobsPurged(List<Integer> jobIds) implements Event {
    static final String TAG = "JobsPurged";
  }

  /** A node's daemon connected. */
  record NodeRegistered(String node, NodeFacts facts, Instant at) implements Event {
    static final String TAG = "NodeRegistered";
  }

  /** A node's daemon cannot be reached since then. */
  record NodeSilent(String node, Instant since) implements Event {
    static final String TAG = "NodeSilent";
  }

  /**
   * What is held against a node changed.
   *
   * @param at when, null in journals of older releases
   */
  record NodeConditionChanged(String node, NodeCondition condition, @Nullable Instant at)
      implements Event {
    static final String TAG = "NodeConditionChanged";
  }

  /** A node's description changed, or a new one was added at the end. */
  record NodeDefined(NodeConfig node, boolean dynamic, Instant at) implements Event {
    static final String TAG = "NodeDefined";
  }

  /**
   * A node was taken out of the cluster.
   *
   * @param at when, null in journals of older releases
   */
  record NodeDeleted(String node, @Nullable Instant at) implements Event {
    static final String TAG = "NodeDeleted";
  }

  /** A partition was added or changed. */
  record PartitionDefined(PartitionConfig partition) implements Event {
    static final String TAG = "PartitionDefined";
  }

  /** A partition was removed. */
  record PartitionDeleted(String name) implements Event {
    static final String TAG = "PartitionDeleted";
  }

  /** A change that was asked for under a name is done; what it changed stands before. */
  record ChangeAnswered(RecentReplies.Entry answer) implements Event {
    static final String TAG = "ChangeAnswered";
  }

  /**
   * Accounts, users, associations or QOS changed.
   *
   * @param actor login name of the user that changed them, null in journals of older releases
   */
  record AccountingChanged(List<AccountingChange> changes, Instant at, @Nullable String actor)
      implements Event {
    static final String TAG = "AccountingChanged";
  }

  /** All usage is forgotten (PriorityUsageResetPeriod). */
  record UsageReset(Instant at) implements Event {
    static final String TAG = "UsageReset";
  }

  /**
   * A job's processes stand still from now on, and its cores are free but where it waits for its
   * turn; or they have stood still, and do so for another reason now.
   *
   * @param forJob the preempting job, null for none
   */
  record JobSuspended(
      int jobId, int run, Instant at, JobState.Suspended.Cause cause, @Nullable Integer forJob)
      implements Event {
    static final String TAG = "JobSuspended";
  }

  /**
   * A suspended job goes on.
   *
   * @param end when its limit ends it now, null for never
   * @param inVain the preempting job that did not start, null for none
   */
  record JobResumed(int jobId, int run, Instant at, @Nullable Instant end, @Nullable Integer inVain)
      implements Event {
    static final String TAG = "JobResumed";

    /** A job that was not preempted, or for one that started. */
    public JobResumed(int jobId, int run, Instant at, @Nullable Instant end) {
      this(jobId, run, at, end, null);
    }
  }

  /** A job was told to make room for another within its grace. */
  record JobNoticed(int jobId, int run, JobState.PreemptionNotice notice) implements Event {
    static final String TAG = "JobNoticed";
  }

  /**
   * A reservation was made, or is another one by now.
   *
   * @param at when, null in events of releases that did not say
   */
  record ReservationDefined(Reservation reservation, @Nullable Instant at) implements Event {
    static final String TAG = "ReservationDefined";
  }

  /**
   * A reservation is gone.
   *
   * @param at when, null in events of releases that did not say
   */
  record ReservationDeleted(String name, @Nullable Instant at) implements Event {
    static final String TAG = "ReservationDeleted";
  }

  /** In a partition it is the turn of other jobs, which were resumed before. */
  record SliceTurned(String partition, Instant at) implements Event {
    static final String TAG = "SliceTurned";
  }

  /** A step of a run began. */
  record StepCreated(int jobId, int run, LaunchedStep step) implements Event {
    static final String TAG = "StepCreated";
  }

  /** A step has another end by its limit, null for that of its job. */
  record StepLimitChanged(int jobId, int run, int step, @Nullable Instant end) implements Event {
    static final String TAG = "StepLimitChanged";
  }

  /** A user has ended a step: its nodes have still to do so. */
  record StepCancelled(int jobId, int run, int step) implements Event {
    static final String TAG = "StepCancelled";
  }

  /**
   * A step ended alike on some nodes; on the last of its nodes it is over.
   *
   * @param nodes these, as a host list
   * @param used what it used on these and on those of the other events of the same decision; null
   *     where that is not known, or told by another of these
   */
  record StepPartEnded(
      int jobId,
      int run,
      int step,
      String nodes,
      ExitStatus exit,
      Instant at,
      @Nullable StepConsumption used)
      implements Event {
    static final String TAG = "StepPartEnded";
  }

  /**
   * How a step ended on some nodes was heard after its run was declared over: nothing changes, but
   * the step is accounted for. Of nodes that tell it again the first word counts.
   *
   * @param nodes these, as a host list
   * @param used as in {@link StepPartEnded}
   */
  record StepExitKnown(
      int jobId,
      int run,
      int step,
      String nodes,
      ExitStatus exit,
      Instant at,
      @Nullable StepConsumption used)
      implements Event {
    static final String TAG = "StepExitKnown";
  }

  /** The script of a run that is over ended, or was found not to have run. */
  record BatchStepEnded(
      int jobId, int run, ExitStatus exit, Instant at, @Nullable StepConsumption used)
      implements Event {
    static final String TAG = "BatchStepEnded";
  }

  /** Starts were foretold of waiting jobs of which nothing had been told; each job once. */
  record ForecastsMade(List<FirstForecast> forecasts) implements Event {
    static final String TAG = "ForecastsMade";
  }

  /**
   * Other clusters of the same slurmdbd said what was used there; users not named stay.
   *
   * @param whole clusters of which that is all, null for none
   */
  record UsageElsewhereChanged(
      List<ClusterUsage> changed, List<String> clusters, Instant at, @Nullable List<String> whole)
      implements Event {
    static final String TAG = "UsageElsewhereChanged";
  }

  /** The accounts are those of slurmdbd from now on; use stays with the associations' numbers. */
  record AccountingReplaced(AccountingRecords accounts, Instant at) implements Event {
    static final String TAG = "AccountingReplaced";
  }

  /**
   * JobCompType has recorded the jobs that the first so many events ended.
   *
   * @param fileLength bytes of the file JobCompLoc after them, 0 where it is no file
   */
  record CompletionsRecorded(long position, long fileLength) implements Event {
    static final String TAG = "CompletionsRecorded";
  }

  /** Records of attempts were put right; of jobs that the cluster has, the jobs themselves. */
  record JobsCorrected(List<AttemptId> attempts, JobCorrection correction, Instant at, String actor)
      implements Event {
    static final String TAG = "JobsCorrected";
  }

  /** A trigger was set, or has something to tell. */
  record TriggerChanged(Trigger trigger) implements Event {
    static final String TAG = "TriggerChanged";
  }

  /** Triggers are gone. */
  record TriggersCleared(List<Integer> ids) implements Event {
    static final String TAG = "TriggersCleared";
  }

  /** The program of a trigger is begun; one that is not permanent is gone with it. */
  record TriggerFired(int id, Instant at) implements Event {
    static final String TAG = "TriggerFired";
  }

  /**
   * A user has this crontab now, none if it is empty. Its jobs come again by their entries; those
   * of the crontab before that are not among them do not any more.
   */
  record CrontabStored(Crontab crontab) implements Event {
    static final String TAG = "CrontabStored";
  }

  /** A job does not come again; its entry, if it has one, becomes a comment in the crontab. */
  record CronJobDisabled(int jobId) implements Event {
    static final String TAG = "CronJobDisabled";
  }
}

package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.placement.admission.AccountChecks;
import io.dure.placement.admission.DependencyChecks;
import io.dure.placement.admission.JobPriorityRules;
import io.dure.placement.admission.PartitionAccess;
import io.dure.placement.admission.Refusal;
import io.dure.placement.admission.ReservationChecks;
import io.dure.placement.admission.ResourceChecks;
import io.dure.rules.JobReadiness;
import io.dure.rules.dependency.DependencyResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code scontrol update job}: what may change when, and which callers may change it. */
public final class JobUpdateRules {
  /** Characters of command lines: one event makes records of all tasks, which are kept together. */
  private static final long MOST_OF_TASKS = 8 << 20;

  private JobUpdateRules() {}

  public static Reply update(DecisionBuilder draft, Command.UpdateJob command, Caller.User caller) {
    JobSelection.Found found =
        JobSelection.find(draft, command.job(), caller, ErrorCode.USER_ID_MISSING);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    JobChange change = command.change();
    List<Job> meant = found.jobs();
    if (meant.size() > 1) {
      // Of an array, what is over is left alone.
      meant = meant.stream().filter(j -> !(j.state() instanceof JobState.Ended)).toList();
      if (meant.isEmpty()) {
        return draft.refuse(ErrorCode.JOB_FINISHED);
      }
    }
    if (meant.size() > 1 && JobResizeRules.isMeant(change.shape())) {
      return draft.refuse(ErrorCode.INVALID_ARRAY);
    }
    for (Job job : meant) {
      Reply refusal = update(draft, job, change, caller);
      if (refusal != null) {
        return refusal;
      }
    }
    return change.arrayThrottle() == null
        ? draft.done()
        : throttle(draft, meant.getFirst().baseId(), change.arrayThrottle());
  }

  private static Reply throttle(DecisionBuilder draft, int array, int throttle) {
    if (linesOfTasks(draft, array) > MOST_OF_TASKS) {
      return draft.refuse(
          ErrorCode.BAD_INPUT,
          "ArrayTaskThrottle: tasks of job %d that wait apart from the array have command lines of"
                  .formatted(array)
              + " more than %d characters together: wait until some have begun, or cancel some"
                  .formatted(MOST_OF_TASKS));
    }
    draft.emit(new Event.ArrayThrottled(array, throttle));
    return draft.done();
  }

  private static long linesOfTasks(DecisionBuilder draft, int array) {
    long characters = 0;
    for (Job task : draft.state().records(array)) {
      if (task.state() instanceof JobState.Pending) {
        Workload workload = task.workload();
        characters += workload.submitLine().length();
        for (String word : workload.arguments()) {
          characters += word.length();
        }
      }
    }
    return characters;
  }

  private static @Nullable Reply update(
      DecisionBuilder draft, Job job, JobChange asked, Caller.User caller) {
    // Files of its output are made, or emptied, with the owner's rights.
    boolean foreign = !caller.mayChange(job) && !asked.output().equals(JobChange.OutputChange.NONE);
    ErrorCode refusal = foreign ? ErrorCode.ACCESS_DENIED : refusal(draft, job, asked, caller);
    if (refusal != null) {
      return draft.refuse(refusal);
    }
    boolean begun = job.state().runningOrSuspended() != null;
    JobChange change = begun ? asked.withShape(JobChange.ResourceChange.NONE) : asked;
    Reply refused = apply(draft, job, change, caller);
    if (refused == null && begun) {
      JobResizeRules.resize(draft, job.id(), asked.shape());
    }
    return refused;
  }

  /** The request with account, QOS and workload key as they are asked for now. */
  private static AccountChecks.Settled charged(
      DecisionBuilder draft, Job job, JobChange change, JobSpec next) {
    String user = job.owner().userName();
    AccountChecks.Settled settled =
        change.account() != null || change.qos() != null
            ? AccountChecks.settle(draft.state(), next, user)
            : new AccountChecks.Settled(next, null);
    return change.wckey() == null || settled.refusal() != null
        ? settled
        : AccountChecks.wckey(draft.state(), settled.spec(), user);
  }

  private static @Nullable Reply apply(
      DecisionBuilder draft, Job job, JobChange change, Caller.User caller) {
    JobSpec next = limited(draft, job, change, ChangedJobSpec.of(job.spec(), change));
    boolean pending = job.state() instanceof JobState.Pending;
    ErrorCode senseless = ResourceChecks.senseless(next);
    if (senseless != null) {
      return draft.refuse(senseless);
    }
    AccountChecks.Settled settled = charged(draft, job, change, next);
    if (settled.refusal() != null) {
      return draft.refuse(settled.refusal());
    }
    next = settled.spec();
    if (pending) {
      Caller.User user = user(caller, job);
      Refusal unfit = forbidden(draft, change, next, user);
      if (unfit == null && change.partitions() != null) {
        next = next.withPartitions(permitted(draft, next, user));
      }
      if (unfit == null) {
        unfit = ResourceChecks.refusal(draft.state(), next);
      }
      if (unfit == null && !caller.operator()) {
        unfit = overLimits(draft, job, change, next);
      }
      if (unfit != null) {
        return draft.refuse(unfit);
      }
    }
    if (change.reservations() != null) {
      ErrorCode kept =
          ReservationChecks.refusal(
              draft.state(), next, job.owner().userName(), groups(caller, job), draft.now());
      if (kept != null) {
        return draft.refuse(kept);
      }
    }
    boolean held = pending && job.priority() == 0;
    long priority =
        pending && !held ? JobPriorityRules.of(draft.state(), next, job) : job.priority();
    draft.emit(new Event.JobUpdated(job.id(), next, priority, endOf(draft, job, change, next)));
    holdByPriority(draft, job, change, caller);
    output(draft, job, change.output());
    if (change.resetAge() && pending && job.accrueTime() != null) {
      draft.emit(new Event.JobEligible(job.id(), draft.now(), Event.Age.COUNTS));
    }
    Reply refused = change.dependency() == null ? null : dependency(draft, job);
    if (refused == null) {
      EligibilityRules.eligibility(draft, job.id());
    }
    return refused;
  }

  private static List<String> permitted(DecisionBuilder draft, JobSpec next, Caller.User caller) {
    return PartitionAccess.permitted(draft.state(), next.partitions(), caller);
  }

  /** Why a job may not be in other partitions or reservations, null if it may. */
  private static @Nullable Refusal forbidden(
      DecisionBuilder draft, JobChange change, JobSpec next, Caller.User caller) {
    if (change.partitions() == null && change.reservations() == null) {
      return null;
    }
    List<String> partitions = next.partitions();
    if (change.partitions() != null) {
      Refusal refusal = PartitionAccess.refusal(draft.state(), partitions, caller);
      if (refusal != null) {
        return refusal;
      }
      partitions = permitted(draft, next, caller);
    }
    return PartitionAccess.lacksReservation(draft.state(), next, partitions)
        ? new Refusal(ErrorCode.ACCESS_DENIED)
        : null;
  }

  /** Users do not move a job past limits that it could not have been submitted under. */
  private static @Nullable Refusal overLimits(
      DecisionBuilder draft, Job job, JobChange change, JobSpec next) {
    ClusterState state = draft.state();
    String user = job.owner().userName();
    boolean moved = change.account() != null || change.qos() != null || change.partitions() != null;
    boolean resized =
        change.timeLimit() != null
            || change.timeLimitDelta() != null
            || !change.shape().equals(JobChange.ResourceChange.NONE);
    Refusal unfit = null;
    if (moved) {
      int tasks = job.array() instanceof ArrayPart.Waiting all ? all.waiting().size() : 1;
      OwnerJobCounts others = state.queued().changed(job, null);
      unfit = AccountChecks.tooMany(state, others, next, user, tasks);
    }
    return unfit == null && (moved || resized)
        ? AccountChecks.tooLarge(state, next, user, draft.now())
        : unfit;
  }

  private static @Nullable ErrorCode refusal(
      Job job, JobState.Running running, JobChange change, Caller.User caller) {
    ErrorCode size = JobResizeRules.refusal(job, running, change.shape());
    if (size != null) {
      return size;
    }
    if (change.partitions() != null
        || change.reservations() != null
        || change.beginTime() != null
        || change.dependency() != null
        || !change.output().equals(JobChange.OutputChange.NONE)) {
      return ErrorCode.JOB_NOT_PENDING;
    }
    Instant end = running.end();
    boolean later = change.endTime() != null && end != null && change.endTime().isAfter(end);
    return later && !caller.operator() ? ErrorCode.ACCESS_DENIED : null;
  }

  private static @Nullable ErrorCode refusal(
      DecisionBuilder draft, Job job, JobChange change, Caller.User caller) {
    switch (job.state()) {
      case JobState.Ended _ -> {
        return isNote(change, caller) ? null : ErrorCode.JOB_FINISHED;
      }
      case JobState.Completing _ -> {
        return isNote(change, caller) ? null : ErrorCode.ALREADY_DONE;
      }
      case JobState.Running running -> {
        ErrorCode refusal = refusal(job, running, change, caller);
        if (refusal != null) {
          return refusal;
        }
      }
      case JobState.Suspended suspended -> {
        ErrorCode refusal = refusal(job, suspended.run(), change, caller);
        if (refusal != null) {
          return refusal;
        }
      }
      case JobState.Pending _ -> {
        if (change.endTime() != null) {
          return ErrorCode.JOB_PENDING;
        }
        String directory = change.output().workDirectory();
        if (directory != null && !directory.startsWith("/")) {
          return ErrorCode.BAD_INPUT;
        }
      }
    }
    if (missesDeadline(draft, job, change)) {
      return ErrorCode.INVALID_TIME_LIMIT;
    }
    if (lowersTooFar(job, change)) {
      return ErrorCode.INVALID_TIME_LIMIT;
    }
    if (!caller.operator()) {
      if (raisesLimit(draft, job, change)) {
        return ErrorCode.ACCESS_DENIED;
      }
      boolean raises =
          change.siteFactor() != null
              || (change.priority() != null
                  && change.priority() > JobPriorityRules.now(draft.state(), job, draft.now()));
      boolean operators =
          change.adminComment() != null || change.resetAge() || change.reboot() != null;
      boolean negative = change.nice() != null && change.nice() < Math.min(0, job.spec().nice());
      if (raises || negative || operators) {
        return ErrorCode.ACCESS_DENIED;
      }
    }
    if (change.arrayThrottle() != null && (job.array() == null || change.arrayThrottle() < 0)) {
      return ErrorCode.INVALID_ARRAY;
    }
    return null;
  }

  private static boolean isNote(JobChange change, Caller.User caller) {
    return change.isOnlyComment() && (change.adminComment() == null || caller.operator());
  }

  /** No job can end before a deadline that has passed, or that is nearer than the limit. */
  private static boolean missesDeadline(DecisionBuilder draft, Job job, JobChange change) {
    if (change.deadline() == null) {
      return false;
    }
    Duration least =
        job.state() instanceof JobState.Pending
            ? JobReadiness.leastTime(
                job.spec().withTimeLimit(ChangedJobSpec.newLimit(job.spec(), change)))
            : Duration.ZERO;
    return draft.now().plus(least).isAfter(change.deadline());
  }

  /** A limit of which more is to be taken away than there is stays as it is. */
  private static boolean lowersTooFar(Job job, JobChange change) {
    Duration before = ChangedJobSpec.durationOf(job.spec().timeLimit());
    Long delta = change.timeLimitDelta();
    return before != null && delta != null && -delta > before.toMinutes();
  }

  /** Running jobs: never up; pending ones: up to what the partition allows. */
  private static boolean raisesLimit(DecisionBuilder draft, Job job, JobChange change) {
    if (change.timeLimit() == null && change.timeLimitDelta() == null) {
      return false;
    }
    Duration before = ChangedJobSpec.durationOf(job.spec().timeLimit());
    Duration after = ChangedJobSpec.durationOf(ChangedJobSpec.newLimit(job.spec(), change));
    if (job.state().runningOrSuspended() != null) {
      return before != null && (after == null || after.compareTo(before) > 0);
    }
    PartitionConfig partition = draft.state().partition(job.spec().partitions().getFirst());
    Duration most = partition == null ? null : partition.limits().maxTime();
    return most != null && (after == null || after.compareTo(most) > 0);
  }

  /** The limit that follows from a new end, in whole minutes. */
  private static JobSpec limited(DecisionBuilder draft, Job job, JobChange change, JobSpec next) {
    JobState.Running running = job.state().runningOrSuspended();
    if (change.endTime() == null || running == null) {
      return next;
    }
    Duration run = Duration.between(running.start(), newEnd(draft, change.endTime()));
    long minutes = run.plusMinutes(1).minusNanos(1).toMinutes();
    return next.withTimeLimit(
        TimeLimit.minutes(Math.clamp(minutes, 1, ResourceChecks.MOST_MINUTES)));
  }

  /** An end that has passed means now. */
  private static Instant newEnd(DecisionBuilder draft, Instant asked) {
    return asked.isBefore(draft.now()) ? draft.now() : asked;
  }

  /** Of the groups only those are known that the caller is in. */
  private static List<String> groups(Caller.User caller, Job job) {
    return caller.identity().uid() == job.owner().uid() ? caller.groups() : List.of();
  }

  /** The user of partitions: the owner, also where a coordinator asks; root may use all. */
  private static Caller.User user(Caller.User caller, Job job) {
    return caller.mayChange(job)
        ? caller
        : new Caller.User(job.owner(), groups(caller, job), false, caller.host());
  }

  private static @Nullable Instant endOf(
      DecisionBuilder draft, Job job, JobChange change, JobSpec next) {
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null) {
      return null;
    }
    if (change.endTime() != null) {
      Instant end = newEnd(draft, change.endTime());
      Instant deadline = next.deadline();
      return deadline == null || end.isBefore(deadline) ? end : deadline;
    }
    if (next.timeLimit().equals(job.spec().timeLimit()) && change.deadline() == null) {
      return running.end();
    }
    return SuspendRules.end(draft.state(), next, running, running.pauses());
  }

  /** Priority 0 holds a job, any other ends a hold. */
  private static void holdByPriority(
      DecisionBuilder draft, Job job, JobChange change, Caller.User caller) {
    if (change.priority() == null || job.state() instanceof JobState.Ended) {
      return;
    }
    Hold now = job.state().hold();
    if (change.priority() == 0) {
      HoldAndReleaseRules.hold(draft, job, caller.operator() ? Hold.ADMIN : Hold.USER, caller);
    } else if (now != Hold.NONE) {
      draft.emit(new Event.JobReleased(job.id(), change.priority()));
    }
  }

  private static void output(DecisionBuilder draft, Job job, JobChange.OutputChange change) {
    if (change.equals(JobChange.OutputChange.NONE)
        || !(job.workload() instanceof Workload.BatchSpec now)) {
      return;
    }
    Workload.BatchSpec next =
        new Workload.BatchSpec(
            TextId.EMPTY,
            List.of(),
            TextId.EMPTY,
            now.loadUserEnvironment(),
            change.workDirectory() == null ? now.workDirectory() : change.workDirectory(),
            change.standardInput() == null ? now.standardInput() : change.standardInput(),
            change.standardOutput() == null ? now.standardOutput() : change.standardOutput(),
            change.standardError() == null ? now.standardError() : change.standardError(),
            now.openMode(),
            now.umask(),
            List.of(),
            now.command(),
            "",
            now.submitHost(),
            now.sessionId(),
            now.limitsOfSite());
    draft.emit(new Event.JobOutputChanged(job.id(), next));
  }

  private static @Nullable Reply dependency(DecisionBuilder draft, Job before) {
    Job job = draft.state().pending().require(before.id());
    int depth = draft.state().settings().jobs().maxDependencyDepth();
    if (DependencyChecks.circular(draft.state(), job, depth)) {
      return draft.refuse(ErrorCode.CIRCULAR_DEPENDENCY);
    }
    if (DependencyChecks.asksForMissing(draft.state(), job.spec().dependency())) {
      return draft.refuse(ErrorCode.DEPENDENCY);
    }
    DependencyResolver.Resolved resolved =
        DependencyChecks.resolveChanged(draft.state(), job, draft.now());
    draft.emit(new Event.DependencyChanged(job.id(), resolved.waitingFor(), resolved.failed()));
    return null;
  }
}

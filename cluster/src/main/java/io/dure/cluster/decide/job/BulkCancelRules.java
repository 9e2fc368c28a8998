package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.privacy.CallerSight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cancelling and signalling many jobs in one decision. */
public final class BulkCancelRules {
  /**
   * Records that are looked at in one decision. With a filter those behind them come with the next
   * one; selectors that name more are refused, and come again in smaller requests.
   */
  static final int MOST = 50_000;

  private static final int BY_FILTER = -1;

  private BulkCancelRules() {}

  /** Kills each job that is named, or that passes the filter; tells those that were not killed. */
  public static Reply kill(DecisionBuilder draft, Command.KillJobs command, Caller.User caller) {
    Map<Integer, String> waits = new TreeMap<>();
    command.waits().forEach(wait -> waits.put(wait.jobId(), wait.reason()));
    KillFilter filter = command.filter();
    if (filter != null) {
      return passing(draft, command, filter, caller, waits);
    }
    return named(draft, command, caller, waits);
  }

  /** Selectors that come twice are taken once, at their first place. */
  private static Reply named(
      DecisionBuilder draft,
      Command.KillJobs command,
      Caller.User caller,
      Map<Integer, String> waits) {
    int most = Command.KillJobs.MOST_NAMED;
    if (command.jobs().size() > most) {
      return draft.refuse(ErrorCode.BAD_INPUT, "at most " + most + " jobs are named at once");
    }
    Set<JobSelector> taken = new LinkedHashSet<>();
    int records = 0;
    List<Reply.KillFailure> failures = new ArrayList<>();
    for (int place = 0; place < command.jobs().size(); place++) {
      JobSelector job = command.jobs().get(place);
      if (!taken.add(job)) {
        continue;
      }
      CancelRules.Attempt attempt =
          CancelRules.attempt(draft, command.one(job, waits.get(job.jobId())), caller);
      records += attempt.records();
      if (records > MOST) {
        return draft.refuse(ErrorCode.BAD_INPUT, "at most " + MOST + " job records at once");
      }
      if (attempt.problem() != null) {
        failures.add(new Reply.KillFailure(place, job.text(), attempt.problem()));
      }
    }
    return new Reply.Killed(List.copyOf(failures), 0);
  }

  private static Reply passing(
      DecisionBuilder draft,
      Command.KillJobs command,
      KillFilter filter,
      Caller.User caller,
      Map<Integer, String> waits) {
    List<Job> meant = meant(draft.state(), filter, command.after(), caller);
    TreeSet<Integer> leaders = new TreeSet<>();
    meant.stream().filter(job -> job.het() != null).forEach(job -> leaders.add(job.id()));
    List<Job> some = meant.size() > MOST ? meant.subList(0, MOST) : meant;
    List<Reply.KillFailure> failures = new ArrayList<>();
    for (Job job : some) {
      // A component of a heterogeneous job is cancelled with the one that leads.
      if (!job.isHetFollower() || !leaders.contains(job.baseId())) {
        ErrorCode problem = killed(draft, job, command, caller, waits.get(job.id()));
        if (problem != null) {
          failures.add(new Reply.KillFailure(BY_FILTER, job.displayId(), problem));
        }
      }
    }
    int next = some.size() < meant.size() ? some.getLast().id() : 0;
    return new Reply.Killed(List.copyOf(failures), next);
  }

  /** The jobs that pass, ids rising; of jobs that the caller does not see none. */
  private static List<Job> meant(
      ClusterState state, KillFilter filter, int after, Caller.User caller) {
    CallerSight sight = CallerSight.of(state.accounts(), state.settings(), caller);
    List<Job> meant = new ArrayList<>();
    List<Job> alive = new ArrayList<>(state.pending().values());
    alive.addAll(state.active().values());
    for (Job job : alive) {
      if (job.id() > after && KillFilter.isAlive(job) && filter.accepts(job) && sight.ofJob(job)) {
        meant.add(job);
      }
    }
    meant.sort(Comparator.comparingInt(Job::id));
    return meant;
  }

  private static @Nullable ErrorCode killed(
      DecisionBuilder draft,
      Job job,
      Command.KillJobs command,
      Caller.User caller,
      @Nullable String waitReason) {
    Command.KillJob one = command.one(new JobSelector(job.id(), null), waitReason);
    if (job.het() != null) {
      return CancelRules.attempt(draft, one, caller).problem();
    }
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    ErrorCode refusal = sight.refusal(job, ErrorCode.ACCESS_DENIED);
    return refusal == null ? CancelRules.killRecord(draft, job, one, caller) : refusal;
  }
}

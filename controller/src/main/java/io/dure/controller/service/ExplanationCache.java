package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.cluster.decide.CommandDecider;
import io.dure.controller.view.JobView;
import io.dure.controller.view.PendingVerdicts;
import io.dure.insight.explain.ExplanationQuery;
import io.dure.insight.explain.JobExplainer;
import io.dure.insight.explain.PrivateDataFilter;
import io.dure.insight.holdings.HoldingsVisibility;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.JobSelector;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.ExpectedStart;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecastInfo;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Explains why jobs are pending. One explanation with trials is computed at a time, on the calling
 * thread; a few requests wait, two of each user, and further ones get the facts without trials.
 * Those are bounded, too, and beyond that requests are rejected as too frequent. Requests for the
 * same job share an explanation, of which each caller sees what it may. Any thread.
 */
final class ExplanationCache {
  /** How long a request waits for its turn; after that it gets the facts. */
  static final Duration TURN = Duration.ofMillis(250);

  /** What trials may take: with the wait for their turn an answer comes within a second. */
  private static final Duration TRIAL_TIME = Duration.ofMillis(350);

  /** Facts of ten thousand nodes take some hundredths of a second. */
  private static final SingleFlight.Limits FACTS =
      new SingleFlight.Limits(2, 200, 50, Duration.ofSeconds(5));

  /** How old an answer may be that is given while others are being worked out. */
  private static final Duration YOUNG = Duration.ofSeconds(30);

  private static final int MOST_KEPT = 256;

  /** What an answer may use of its time, in thousandths. */
  private static final long WHOLE = 1000;

  private final CallerDirectory callers;
  private final InstantSource clock;
  private final SingleFlight<Key, JobExplanation> trials;
  private final SingleFlight<Key, JobExplanation> facts = new SingleFlight<>(FACTS);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Kept> tried = new LinkedHashMap<>();
  private final Map<Integer, Kept> looked = new LinkedHashMap<>();

  /** Of which job: changed it is another. */
  private record Key(Job job) {}

  /** An answer does not keep alive the state that it was made of. */
  private record Kept(WeakReference<ClusterState> state, Job job, JobExplanation explanation) {}

  /**
   * Nothing is kept yet.
   *
   * @param turn how long a request waits for its turn to have trials
   */
  ExplanationCache(CallerDirectory callers, InstantSource clock, Duration turn) {
    this.callers = callers;
    this.clock = clock;
    trials = new SingleFlight<>(new SingleFlight.Limits(1, 8, 2, turn));
  }

  /**
   * The answer.
   *
   * @param verdicts what the scheduler last said
   * @param factsOnly whether nothing is to be tried
   */
  Response answer(
      ClusterState state,
      PendingVerdicts verdicts,
      JobSelector selector,
      Caller.User caller,
      boolean factsOnly)
      throws InterruptedException {
    Job job = JobExplainer.jobNamed(state, selector);
    HoldingsVisibility sight = new HoldingsVisibility(state, caller);
    if (job == null || !sight.ofJob(job)) {
      List<Job> records = state.records(selector.jobId()).stream().filter(sight::ofJob).toList();
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, JobExplainer.known(selector, records));
    }
    PendingVerdict verdict = verdicts.byJob().get(job.id());
    Caller.User owner = callers.of(job.owner().uid(), job.owner().gid());
    ExplanationQuery question =
        new ExplanationQuery(
            state,
            job,
            clock.instant(),
            verdict == null ? null : verdict.reason(),
            owner,
            0,
            CommandDecider::decide);
    int uid = caller.identity().uid();
    boolean tries = !factsOnly && job.state() instanceof JobState.Pending;
    JobExplanation told = tries ? tried(question, uid) : facts(question, uid);
    return told == null
        ? new Response.Failed(ErrorCode.RATE_LIMITED, "")
        : new Response.Explained(
            foretold(PrivateDataFilter.of(told, state, sight), JobView.forecast(verdicts, job)));
  }

  /** With what is foretold of its start. */
  private static JobExplanation foretold(JobExplanation told, @Nullable StartForecastInfo known) {
    if (known == null || !(told.story() instanceof JobSituation.Waits waits)) {
      return told;
    }
    ExpectedStart.Forecast forecast =
        new ExpectedStart.Forecast(known.p10(), known.p50(), known.p90());
    JobSituation story = waits.withExpected(waits.expected().withForecast(forecast));
    return new JobExplanation(told.cluster(), told.now(), told.subject(), story);
  }

  /** With all tried; while others are being answered what was said a little before, or facts. */
  private @Nullable JobExplanation tried(ExplanationQuery question, int uid)
      throws InterruptedException {
    JobExplanation known = known(tried, question, trials.isBusy() ? YOUNG : Duration.ZERO);
    if (known != null) {
      return known;
    }
    ExplanationQuery whole = question.with(ExplanationQuery.USUAL_EFFORT);
    JobExplanation made =
        trials.answer(
            new Key(question.job()),
            uid,
            () -> keep(tried, whole.within(since(System.nanoTime()))));
    if (made != null) {
      return made;
    }
    known = known(tried, question, YOUNG);
    return known == null ? facts(question, uid) : known;
  }

  private static ExplanationQuery.TimeUsed since(long began) {
    return () -> (System.nanoTime() - began) * WHOLE / TRIAL_TIME.toNanos();
  }

  /** Null where too many ask. */
  private @Nullable JobExplanation facts(ExplanationQuery question, int uid)
      throws InterruptedException {
    JobExplanation known = known(looked, question, facts.isBusy() ? YOUNG : Duration.ZERO);
    return known == null
        ? facts.answer(new Key(question.job()), uid, () -> keep(looked, question))
        : known;
  }

  private JobExplanation keep(Map<Integer, Kept> where, ExplanationQuery question) {
    JobExplanation known = known(where, question, Duration.ZERO);
    if (known != null) {
      return known;
    }
    JobExplanation made = JobExplainer.explain(question);
    int job = question.job().id();
    lock.lock();
    try {
      where.remove(job);
      where.put(job, new Kept(new WeakReference<>(question.state()), question.job(), made));
      if (where.size() > MOST_KEPT) {
        where.remove(where.keySet().iterator().next());
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  /** What was said of the same state, or of the same job not longer ago than that. */
  @SuppressWarnings("ReferenceEquality") // states are versions: the very same, or another
  private @Nullable JobExplanation known(
      Map<Integer, Kept> where, ExplanationQuery question, Duration age) {
    lock.lock();
    try {
      Kept found = where.get(question.job().id());
      if (found == null || !question.job().equals(found.job())) {
        return null;
      }
      boolean same = found.state().get() == question.state();
      // A clock that was set back makes no answer young.
      Duration passed = Duration.between(found.explanation().now(), question.now()).abs();
      boolean young = passed.compareTo(same ? YOUNG : age) <= 0;
      return young && (same || !age.isZero()) ? found.explanation() : null;
    } finally {
      lock.unlock();
    }
  }
}

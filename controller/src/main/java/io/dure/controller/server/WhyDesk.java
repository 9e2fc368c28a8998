package io.dure.controller.server;

import io.dure.controller.view.JobView;
import io.dure.controller.view.Verdicts;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.JobSelector;
import io.dure.core.explain.Expected;
import io.dure.core.explain.Explainer;
import io.dure.core.explain.Explanation;
import io.dure.core.explain.Question;
import io.dure.core.explain.Story;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Verdict;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecast;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers why jobs wait. One answer is worked out at a time, on the thread of whoever asks; a few
 * wait for their turn, and who comes when there are more of them is told what needs no trying. An
 * answer is kept for who asks again. Any thread.
 */
final class WhyDesk {
  /** Who may wait for an answer to be worked out. */
  private static final int MOST_WAITING = 8;

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
  private static final int MOST_KEPT = 64;

  private final Callers callers;
  private final InstantSource clock;
  private final Semaphore turn = new Semaphore(1, true);
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Kept> kept = new LinkedHashMap<>();

  /** Of whom, and for whom. */
  private record Key(int jobId, int uid) {}

  /** An answer does not keep alive the state that it was made of. */
  private record Kept(WeakReference<ClusterState> state, Job job, Explanation explanation) {}

  WhyDesk(Callers callers, InstantSource clock) {
    this.callers = callers;
    this.clock = clock;
  }

  /**
   * The answer.
   *
   * @param verdicts what the scheduler last said
   * @param mode how it is to be
   */
  Response answer(
      ClusterState state, Verdicts verdicts, JobSelector selector, Caller.User caller, Mode mode)
      throws InterruptedException {
    Job job = Explainer.meant(state, selector);
    int uid = caller.identity().uid();
    Predicate<Job> visible = other -> !mode.onlyOwn() || other.owner().uid() == uid;
    if (job == null || !visible.test(job)) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    Verdict verdict = verdicts.byJob().get(job.id());
    Caller.User owner = callers.of(job.owner().uid(), job.owner().gid());
    Question question =
        new Question(
            state,
            job,
            clock.instant(),
            verdict == null ? null : verdict.reason(),
            owner,
            visible,
            0);
    boolean tries = !mode.facts() && job.state() instanceof JobState.Pending;
    Explanation told =
        tries ? tried(question, new Key(job.id(), uid)) : Explainer.explain(question);
    return new Response.Explained(foretold(told, JobView.forecast(verdicts, job)));
  }

  /** With what is foretold of its start. */
  private static Explanation foretold(Explanation told, @Nullable StartForecast known) {
    if (known == null || !(told.story() instanceof Story.Waits waits)) {
      return told;
    }
    Expected expected =
        waits.expected().with(new Expected.Forecast(known.p10(), known.p50(), known.p90()));
    Story story =
        new Story.Waits(
            waits.reason(),
            waits.eligible(),
            waits.causes(),
            waits.findings(),
            expected,
            waits.place(),
            waits.remedies(),
            waits.depth());
    return new Explanation(told.cluster(), told.now(), told.subject(), story);
  }

  /**
   * How an answer is to be.
   *
   * @param facts whether nothing is to be tried
   * @param onlyOwn whether whoever asks sees no jobs but his own
   */
  record Mode(boolean facts, boolean onlyOwn) {}

  private Explanation tried(Question question, Key key) throws InterruptedException {
    Explanation known = known(question, key, Duration.ZERO);
    if (known != null) {
      return known;
    }
    if (!places.tryAcquire()) {
      return others(question, key);
    }
    try {
      if (!turn.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        return others(question, key);
      }
      try {
        known = known(question, key, Duration.ZERO);
        return known == null ? keep(question, key) : known;
      } finally {
        turn.release();
      }
    } finally {
      places.release();
    }
  }

  private Explanation keep(Question question, Key key) {
    Explanation made = Explainer.explain(question.with(Question.USUAL_EFFORT));
    lock.lock();
    try {
      kept.remove(key);
      kept.put(key, new Kept(new WeakReference<>(question.state()), question.job(), made));
      if (kept.size() > MOST_KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  /** What is said while too many others wait: what was said a little before, or facts. */
  private Explanation others(Question question, Key key) {
    Explanation known = known(question, key, Duration.ofSeconds(30));
    return known == null ? Explainer.explain(question) : known;
  }

  /** What was said of the same state, or of the same job not longer ago than that. */
  @SuppressWarnings("ReferenceEquality") // states are versions: the very same, or another
  private @Nullable Explanation known(Question question, Key key, Duration age) {
    lock.lock();
    try {
      Kept found = kept.get(key);
      if (found == null) {
        return null;
      }
      Instant since = found.explanation().now();
      boolean same = found.state().get() == question.state();
      boolean sameJob = question.job().equals(found.job());
      Duration passed = Duration.between(since, question.now());
      boolean young = passed.compareTo(same ? Duration.ofSeconds(30) : age) <= 0;
      return young && (same || sameJob && !age.isZero()) ? found.explanation() : null;
    } finally {
      lock.unlock();
    }
  }
}

package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.dependency.DependencyClosure;
import io.dure.virtual.RunTimeModel;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterOptions;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says when a job would start if every job ran to its limit and none came: the scheduler itself is
 * asked, as often as its effort allows. One thread.
 */
final class StartTimeSimulator {
  /** No future is looked at further than that. */
  private static final Duration FAR = Duration.ofDays(3650);

  /**
   * After what time jobs without a limit are taken to end: a job that starts only then waits for
   * something that is not known.
   */
  private static final Duration ENDLESS = Duration.ofDays(400);

  private static final int MOST_PASSES = 4_000;
  private static final long OF_A_PASS = 50;

  /** More passes than the job's own course took, for one that is looked at. */
  private static final int SPARE = 8;

  /** Where more jobs wait, those behind the job are left out of what is looked at. */
  private static final int MANY = 4_000;

  /** Thousandths of the time after which the job's own course is not followed any more. */
  private static final int OF_COURSE = 400;

  /** The same of all that is tried while some of the effort is kept. */
  private static final int WHILE_KEPT = 700;

  private static final int WHOLE = 1000;

  private final int job;
  private final Instant now;
  private final @Nullable List<Integer> relevant;
  private long effort;
  private long kept;
  private int ofCourse;
  private boolean cut;
  private final ExplanationQuery.TimeUsed time;
  private int bound = OF_COURSE;

  StartTimeSimulator(ExplanationQuery question) {
    job = question.job().id();
    now = Instant.ofEpochSecond(PlannerTime.second(question.now()));
    effort = question.effort();
    time = question.time();
    boolean many = question.state().pending().size() > MANY;
    relevant = many ? notBehind(question) : null;
  }

  private static List<Integer> notBehind(ExplanationQuery question) {
    ClusterState state = question.state();
    List<Integer> before = JobsAhead.notBehind(state, question.job(), question.now());
    return DependencyClosure.with(state, state.pending(), before);
  }

  /**
   * What is looked at of a cluster: in a long queue the jobs behind the job are left out, unless
   * one that is not waits for them. A pass plans those before them in the same way without them;
   * what they fill while the job waits is not in it, so a job that is promised nothing may start
   * later than it says.
   */
  private SchedulerView seen(SchedulerView whole) {
    if (relevant == null) {
      return whole;
    }
    VirtualClusterView view = VirtualClusterView.of(whole);
    IntMap<Job> few = IntMap.empty();
    for (int id : relevant) {
      Job one = view.pending().get(id);
      few = one == null ? few : few.with(id, one);
    }
    return view.withPending(few);
  }

  /** The first second in which anything can start. */
  Instant now() {
    return now;
  }

  /**
   * Whether something was not looked at because it would have taken too much, since this was last
   * asked.
   */
  boolean wasCut() {
    boolean was = cut;
    cut = false;
    return was;
  }

  /** Keeps a part of what effort is left for later, in percent, and some of the time. */
  void keep(int percent) {
    kept = effort * percent / 100;
    effort -= kept;
    bound = WHILE_KEPT;
  }

  /** Whether so many more clusters can be looked at that differ little from this one. */
  boolean mayLook(SchedulerView all, int times) {
    SchedulerView view = seen(all);
    return !isLate() && effort / times > ofBeginning(view) + ofCourse * ofPass(view);
  }

  private boolean isLate() {
    return time.thousandths() >= bound;
  }

  /** There is what was kept again. */
  void release() {
    effort += kept;
    kept = 0;
    bound = WHOLE;
  }

  /**
   * A start before the job's.
   *
   * @param job which
   * @param nodes where
   */
  record EarlierStart(int job, Instant at, List<String> nodes) {}

  /**
   * What becomes of a job.
   *
   * @param start when it starts, null if that was not reached
   * @param nodes where
   * @param before the jobs that start before it
   * @param seen until when the future was looked at
   * @param never whether nothing more would have happened
   * @param endless whether it starts only when jobs without a limit end
   */
  record SimulatedStart(
      @Nullable Instant start,
      List<String> nodes,
      List<EarlierStart> before,
      Instant seen,
      boolean never,
      boolean endless) {}

  /** What becomes of the job in a cluster. */
  SimulatedStart whole(SchedulerView all) {
    SchedulerView view = seen(all);
    int most = passes(view);
    VirtualCluster rollout = rollout(view);
    List<EarlierStart> before = new ArrayList<>();
    boolean going = true;
    while (going && rollout.startOf(job) == null && rollout.passes() < most && !isLate()) {
      going = rollout.step() && rollout.now().isBefore(now.plus(FAR));
      for (Placement start : going ? rollout.lastStarts() : List.<Placement>of()) {
        if (start.jobId() != job) {
          before.add(new EarlierStart(start.jobId(), rollout.now(), start.allocation().nodes()));
        }
      }
    }
    ofCourse = rollout.passes();
    spend(view, ofCourse);
    Instant start = rollout.startOf(job);
    cut |= start == null && going;
    boolean endless = start != null && !start.isBefore(now.plus(ENDLESS));
    boolean never = start == null && !going;
    return new SimulatedStart(start, nodes(rollout), before, rollout.now(), never, endless);
  }

  private List<String> nodes(VirtualCluster rollout) {
    Job running = rollout.view().active().get(job);
    if (running != null && running.state() instanceof JobState.Running run) {
      return run.allocation().shares().stream().map(NodeShare::node).toList();
    }
    for (Placement start : rollout.lastStarts()) {
      if (start.jobId() == job) {
        return start.allocation().nodes();
      }
    }
    return List.of();
  }

  /** When the job starts in a cluster, null if not before that time. */
  @Nullable Instant before(SchedulerView all, Instant least) {
    SchedulerView view = seen(all);
    Instant horizon = least.isBefore(now.plus(ENDLESS)) ? least : now.plus(ENDLESS);
    int most = horizon.isAfter(now.plusSeconds(1)) ? ofCourse + ofCourse / 4 + SPARE : SPARE;
    if (isLate() || ofBeginning(view) + Math.min(most, ofCourse + 1) * ofPass(view) > effort) {
      // What is begun and not brought to its end says nothing.
      cut = true;
      return null;
    }
    VirtualCluster rollout = rollout(view);
    while (rollout.startOf(job) == null
        && rollout.passes() < most
        && !isLate()
        && rollout.stepWithin(horizon)) {
      // As long as it says nothing yet.
    }
    Instant start = rollout.startOf(job);
    spend(view, rollout.passes());
    cut |= start == null && (rollout.passes() >= most || isLate());
    return start == null || !start.isBefore(horizon) ? null : start;
  }

  /** Whether the job starts in a cluster by then. */
  MinimalSubsetSearch.Answer startsBy(SchedulerView view, Instant latest) {
    boolean before = cut;
    cut = false;
    Instant start = before(view, latest.plusSeconds(1));
    boolean was = cut;
    cut |= before;
    return start != null
        ? MinimalSubsetSearch.Answer.YES
        : was ? MinimalSubsetSearch.Answer.NOT_ASKED : MinimalSubsetSearch.Answer.NO;
  }

  /** Whether the job starts in a cluster at once. */
  boolean atOnce(SchedulerView view) {
    return before(view, now.plusSeconds(1)) != null;
  }

  private VirtualCluster rollout(SchedulerView view) {
    VirtualClusterOptions course = VirtualClusterOptions.toTheLimits(view.settings());
    return new VirtualCluster(
        view,
        now,
        course.withLifetimes(this::end).withFidelity(VirtualClusterOptions.Fidelity.SETTLED));
  }

  private long end(Job running, JobState.Running run) {
    long limit = RunTimeModel.LIMITS.end(running, run);
    Instant from = run.start().isBefore(now) ? now : run.start();
    return limit < PlannerTime.NEVER ? limit : PlannerTime.second(from.plus(ENDLESS));
  }

  private static long ofPass(SchedulerView view) {
    return OF_A_PASS + (view.pending().size() + view.nodes().size()) / 8;
  }

  private static long ofBeginning(SchedulerView view) {
    return 20 + view.pending().size() + view.active().size() + 2L * view.nodes().size();
  }

  /** How many passes there may be if no more than a third of the effort is spent. */
  private int passes(SchedulerView view) {
    long left = Math.max(effort / 3, Math.min(effort, ofBeginning(view) + ofPass(view)));
    return Math.clamp((left - ofBeginning(view)) / ofPass(view), 0, MOST_PASSES);
  }

  private void spend(SchedulerView view, int passes) {
    effort -= ofBeginning(view) + passes * ofPass(view);
  }
}

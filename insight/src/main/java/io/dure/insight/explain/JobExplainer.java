package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.HostList;
import io.dure.model.TaskIndices;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.DurePriority;
import io.dure.model.report.ExpectedStart;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.report.QueuePosition;
import io.dure.model.report.StartBlocker;
import io.dure.model.report.StartRemedy;
import io.dure.model.report.WaitCause;
import io.dure.rules.JobReadiness;
import io.dure.rules.queueorder.DurePriorityTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains jobs. All functions are pure; any thread may ask. */
public final class JobExplainer {
  /** Percent of the effort that is kept for remedies while holders are looked for. */
  private static final int FOR_REMEDIES = 40;

  private JobExplainer() {}

  /**
   * The record that is meant by the name of a job: of several that which waits, else one that runs;
   * null if there is none.
   */
  public static @Nullable Job jobNamed(ClusterState state, JobSelector selector) {
    Job best = null;
    for (Job job : state.records(selector.jobId())) {
      boolean meant =
          isMeant(job, selector.tasks())
              && (selector.component() == null
                  || job.het() != null && job.het().offset() == selector.component());
      if (meant && (best == null || rank(job) < rank(best))) {
        best = job;
      }
    }
    return best;
  }

  /**
   * What there is of a job of which something was named that is not there; empty if there is
   * nothing of it.
   *
   * @param records all records of that job that may be told of
   */
  public static String known(JobSelector selector, List<Job> records) {
    if (records.isEmpty()) {
      return "";
    }
    Job first = records.getFirst();
    String job = "job " + selector.jobId();
    if (first.het() != null) {
      return job + " has the components 0 to " + (first.het().size() - 1);
    }
    List<Integer> tasks = new ArrayList<>();
    for (Job one : records) {
      switch (one.array()) {
        case ArrayPart.Task task -> tasks.add(task.index());
        case ArrayPart.Waiting waiting -> tasks.addAll(waiting.waiting().toList());
        case null -> {}
      }
    }
    tasks.sort(Comparator.naturalOrder());
    return tasks.isEmpty()
        ? job + " is no array and has no components"
        : job + " has the tasks " + TaskIndices.of(tasks).text();
  }

  private static boolean isMeant(Job job, @Nullable TaskIndices tasks) {
    return tasks == null
        || switch (job.array()) {
          case null -> false;
          case ArrayPart.Task task -> tasks.contains(task.index());
          case ArrayPart.Waiting waiting ->
              waiting.waiting().size() < tasks.size()
                  ? waiting.waiting().toList().stream().anyMatch(tasks::contains)
                  : tasks.toList().stream().anyMatch(waiting.waiting()::contains);
        };
  }

  private static int rank(Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> job.array() instanceof ArrayPart.Waiting ? 0 : 1;
      case JobState.Running _, JobState.Suspended _ -> 2;
      case JobState.Completing _ -> 3;
      case JobState.Ended _ -> 4;
    };
  }

  /** What there is to say of a job. */
  public static JobExplanation explain(ExplanationQuery question) {
    ClusterState state = question.state();
    return new JobExplanation(
        state.settings().controller().clusterName(),
        question.now(),
        ExplainedJob.of(question.job()),
        story(question));
  }

  private static JobSituation story(ExplanationQuery question) {
    return switch (question.job().state()) {
      case JobState.Pending pending -> waits(question, pending);
      case JobState.Running running -> runs(running, false);
      case JobState.Suspended suspended -> runs(suspended.run(), true);
      case JobState.Completing over ->
          new JobSituation.Ends(over.start(), over.end(), nodes(over.allocation()));
      case JobState.Ended over ->
          new JobSituation.Over(over.outcome(), over.start(), over.end(), over.reason());
    };
  }

  private static JobSituation runs(JobState.Running run, boolean suspended) {
    Allocation held = run.allocation();
    return new JobSituation.Runs(run.start(), run.end(), nodes(held), held.cpus(), suspended);
  }

  private static String nodes(Allocation held) {
    return HostList.compress(held.nodes());
  }

  private static JobSituation waits(ExplanationQuery question, JobState.Pending pending) {
    Job job = question.job();
    List<WaitCause> causes = new RuleCauseFinder(question).all();
    String own = pending.reason();
    String said = own != null ? own : question.reason() == null ? "None" : question.reason();
    Instant eligible =
        JobReadiness.blockingVerdict(job, question.now()) == null ? job.eligibleTime() : null;
    if (question.effort() <= 0) {
      return new JobSituation.Waits(
          said,
          eligible,
          causes,
          List.of(),
          ExpectedStart.UNKNOWN,
          null,
          List.of(),
          JobSituation.Depth.NOTHING,
          true,
          true);
    }
    StartTimeSimulator oracle = new StartTimeSimulator(question);
    StartTimeSimulator.SimulatedStart course = oracle.whole(question.state());
    boolean cut = oracle.wasCut();
    boolean atOnce = oracle.now().equals(course.start());
    oracle.keep(FOR_REMEDIES);
    List<StartBlocker> findings =
        atOnce ? List.of() : new StartBlockerFinder(question, oracle, course).find(causes);
    boolean holdersCut = oracle.wasCut();
    oracle.release();
    List<StartRemedy> remedies =
        atOnce ? List.of() : new RemedyFinder(question, oracle, course).find(causes);
    boolean remediesCut = oracle.wasCut();
    return new JobSituation.Waits(
        said,
        eligible,
        causes,
        findings,
        expected(course),
        eligible == null ? null : place(question),
        remedies,
        cut || holdersCut || remediesCut ? JobSituation.Depth.SOME : JobSituation.Depth.ALL,
        holdersCut,
        remediesCut);
  }

  private static ExpectedStart expected(StartTimeSimulator.SimulatedStart course) {
    return new ExpectedStart(
        course.endless() ? null : course.start(),
        course.endless() ? "" : HostList.compress(course.nodes()),
        course.never(),
        course.start() == null && !course.never() ? course.seen() : null,
        null,
        course.endless());
  }

  /** Where it stands in the first of its partitions that is there. */
  private static @Nullable QueuePosition place(ExplanationQuery question) {
    ClusterState state = question.state();
    JobsAhead line = JobsAhead.of(state, question.job(), question.now());
    if (line == null) {
      return null;
    }
    DurePriority standing =
        DurePriorityTable.areInForce(state.settings())
            ? DurePriorityTable.of(state, question.now()).of(question.job(), line.partition())
            : null;
    return new QueuePosition(
        line.partition().name(), line.ahead().size(), line.priority(), standing);
  }
}

package io.dure.surface.sacct;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.protocol.accounting.RecordedJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which recorded jobs are listed by what their columns say, and what stands for tasks of an array
 * that wait. Nothing in a list lets all pass.
 *
 * @param flags a job has one of them
 * @param reasons what a job waits for is one of them
 * @param constraints a job asks for all of these features
 * @param tasks whether each task that waits has a row of its own
 */
public record SacctFilter(
    List<SchedulingFlag> flags, List<String> reasons, List<String> constraints, boolean tasks) {
  /** What stands between features. */
  private static final Pattern BETWEEN = Pattern.compile("[&|,*!()\\[\\]]+");

  public SacctFilter {
    flags = List.copyOf(flags);
    reasons = List.copyOf(reasons);
    constraints = List.copyOf(constraints);
  }

  /** What is listed of these, in their order. */
  public List<RecordedJob> listed(List<RecordedJob> jobs, SacctStyle style) {
    List<RecordedJob> listed = new ArrayList<>();
    for (RecordedJob job : jobs) {
      if (passes(SacctRow.of(job, style).getFirst())) {
        listed.addAll(tasks ? tasks(job) : List.of(job));
      }
    }
    return listed;
  }

  private boolean passes(SacctRow row) {
    String reason = Objects.requireNonNullElse(SacctFields.reason(row), SacctFields.NO_REASON);
    return (flags.isEmpty() || SchedulingFlag.of(row.job()).stream().anyMatch(flags::contains))
        && (reasons.isEmpty() || reasons.stream().anyMatch(reason::equalsIgnoreCase))
        && features(row.job().spec().resources().features()).containsAll(constraints);
  }

  private static List<String> features(@Nullable String expression) {
    return expression == null ? List.of() : List.of(BETWEEN.split(expression));
  }

  private static List<RecordedJob> tasks(RecordedJob recorded) {
    Job job = recorded.job();
    if (!(job.array() instanceof ArrayPart.Waiting waiting)) {
      return List.of(recorded);
    }
    List<RecordedJob> tasks = new ArrayList<>();
    for (int index : waiting.waiting().toList()) {
      ArrayPart task =
          new ArrayPart.Task(waiting.arrayJobId(), waiting.shape(), index, waiting.throttle());
      tasks.add(recorded.withJob(job.with().array(task).build()));
    }
    return tasks;
  }
}

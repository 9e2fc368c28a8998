package io.dure.surface.facts;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.surface.value.NumberParser;
import java.util.Map;

/**
 * The ids of jobs in listings, in which long lists of tasks are cut.
 *
 * @param taskListLimit characters of such a list, 0 for any number
 */
public record JobIdFormat(int taskListLimit) {
  private static final String KEY = "SLURM_BITSTR_LEN";
  private static final int USUAL = 64;

  /** The form that {@code SLURM_BITSTR_LEN} asks for. */
  public static JobIdFormat of(Map<String, String> environment) {
    String limit = environment.get(KEY);
    return new JobIdFormat(
        limit == null ? USUAL : Math.clamp(NumberParser.leading(limit), 0, 1 << 20));
  }

  /** {@code 12}, {@code 12_3}, {@code 12_[4-9%2]} or {@code 12+1}. */
  public String text(Job job) {
    return job.array() instanceof ArrayPart.Waiting waiting
        ? waiting.arrayJobId() + "_[" + tasks(waiting) + "]"
        : job.displayId();
  }

  /** The tasks that wait, {@code 4-9%2}. */
  public String tasks(ArrayPart.Waiting waiting) {
    String list = waiting.waiting().text();
    if (taskListLimit > 0 && list.length() >= taskListLimit) {
      list = list.substring(0, Math.max(0, taskListLimit - 4)) + "...";
    }
    return waiting.throttle() == 0 ? list : list + '%' + waiting.throttle();
  }
}

package io.dure.model.config.backfill;

import io.dure.model.config.parameters.BoundedNumber;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the parameters of {@code SchedulerParameters} that begin with {@code bf_}. */
public final class BackfillSettingsReader {
  /**
   * All that need no word. Some bound how long Slurm's backfill keeps its locks, how coarsely it
   * cuts time, or whether it goes on after a change: a plan here holds no lock, cuts nothing and is
   * made of one state, so what they are set for is so without them.
   */
  public static final List<String> NAMES =
      List.of(
          "bf_continue",
          "bf_interval",
          "bf_job_part_count_reserve",
          "bf_max_job_array_resv",
          "bf_max_job_assoc",
          "bf_max_job_part",
          "bf_max_job_start",
          "bf_max_job_test",
          "bf_max_job_user",
          "bf_max_job_user_part",
          "bf_max_time",
          "bf_min_age_reserve",
          "bf_min_prio_reserve",
          "bf_node_space_size",
          "bf_one_resv_per_job",
          "bf_resolution",
          "bf_window",
          "bf_yield_interval",
          "bf_yield_rpc_cnt",
          "bf_yield_sleep");

  private static final int LONGEST_INTERVAL = 10_800;
  private static final int LONGEST_WINDOW = 43_200;

  private final Map<String, String> parameters;
  private final ProblemListener report;

  /** Is told what is wrong. */
  @FunctionalInterface
  public interface ProblemListener {
    /** A value that is not taken, and what to write. */
    void error(String message, String remedy);
  }

  private BackfillSettingsReader(Map<String, String> parameters, ProblemListener report) {
    this.parameters = parameters;
    this.report = report;
  }

  /**
   * Reads them.
   *
   * @param parameters by name
   * @param report is told of values that are not taken; the usual ones hold then
   */
  public static BackfillSettings read(Map<String, String> parameters, ProblemListener report) {
    return new BackfillSettingsReader(parameters, report).read();
  }

  private BackfillSettings read() {
    BackfillSettings usual = BackfillSettings.USUAL;
    int tested = number("bf_max_job_part", 0, Integer.MAX_VALUE, 0);
    int reserved = number("bf_job_part_count_reserve", 0, Integer.MAX_VALUE, 0);
    boolean bounded = parameters.containsKey("bf_window");
    return new BackfillSettings(
        Duration.ofSeconds(number("bf_interval", 1, LONGEST_INTERVAL, 30)),
        bounded ? Duration.ofMinutes(number("bf_window", 1, LONGEST_WINDOW, 1440)) : null,
        number("bf_max_job_test", 1, 1_000_000, usual.jobs()),
        tested == 0 || reserved == 0 ? Math.max(tested, reserved) : Math.min(tested, reserved),
        number("bf_max_job_user", 0, Integer.MAX_VALUE, 0),
        number("bf_max_job_user_part", 0, Integer.MAX_VALUE, 0),
        number("bf_max_job_assoc", 0, Integer.MAX_VALUE, 0),
        number("bf_max_job_start", 0, 10_000, 0),
        number("bf_max_job_array_resv", 0, 1000, usual.tasksOfArray()),
        Duration.ofSeconds(number("bf_min_age_reserve", 0, 30 * 86_400, 0)),
        number("bf_min_prio_reserve", 0, Integer.MAX_VALUE, 0),
        parameters.containsKey("bf_one_resv_per_job"));
  }

  /** A number within bounds; what is not one is reported, and the usual value holds. */
  private int number(String name, int least, int most, int usual) {
    String text = parameters.get(name);
    if (text == null) {
      return usual;
    }
    BoundedNumber number = new BoundedNumber(name, text, least, most);
    Long value = number.value();
    if (value != null) {
      return value.intValue();
    }
    report.error(number.problem(), number.remedy());
    return usual;
  }
}

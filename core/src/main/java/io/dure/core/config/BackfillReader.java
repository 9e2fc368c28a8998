package io.dure.core.config;

import io.dure.core.config.Diagnostics.Place;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the parameters of {@code SchedulerParameters} that begin with {@code bf_}. */
final class BackfillReader {
  /**
   * All that need no word. Some bound how long Slurm's backfill keeps its locks, how coarsely it
   * cuts time, or whether it goes on after a change: a plan here holds no lock, cuts nothing and is
   * made of one state, so what they are set for is so without them.
   */
  static final List<String> NAMES =
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
  private static final String KEY = "SchedulerParameters";

  private final Map<String, String> parameters;
  private final Place place;
  private final Diagnostics diagnostics;

  BackfillReader(Map<String, String> parameters, Place place, Diagnostics diagnostics) {
    this.parameters = parameters;
    this.place = place;
    this.diagnostics = diagnostics;
  }

  BackfillSettings read() {
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
    ValueSyntax.Amount amount = ValueSyntax.number(text);
    if (amount != null
        && !amount.unlimited()
        && amount.value() >= least
        && amount.value() <= most) {
      return (int) amount.value();
    }
    diagnostics.error(
        place,
        KEY,
        name + ": value (" + text + ") is not a number from " + least + " to " + most,
        "Write " + name + "=NUMBER");
    return usual;
  }
}

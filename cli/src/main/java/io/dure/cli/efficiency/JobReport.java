package io.dure.cli.efficiency;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job's last attempt, and what came before.
 *
 * @param last its last attempt
 * @param before attempts before, that ran
 * @param lostSeconds CPUs by seconds that these held
 * @param next what to ask for the next time
 * @param trial what the controller says of that, null where it was not asked
 */
record JobReport(
    RunUse last, int before, long lostSeconds, NextRequest next, JobReport.@Nullable Trial trial) {

  /** That of these attempts, the oldest first. */
  static JobReport of(List<RunUse> attempts, @Nullable Trial trial) {
    RunUse last = attempts.getLast();
    List<RunUse> before =
        attempts.subList(0, attempts.size() - 1).stream().filter(RunUse::ran).toList();
    long lost = before.stream().mapToLong(RunUse::cpuSeconds).sum();
    return new JobReport(last, before.size(), lost, NextRequest.of(last), trial);
  }

  /**
   * When it would start if it was submitted now.
   *
   * @param asked as it was asked for, null where that is not said
   * @param better as it had better be
   * @param refusal why one of them is missing, empty for none
   */
  record Trial(@Nullable Instant asked, @Nullable Instant better, String refusal) {
    static Trial none(String why) {
      return new Trial(null, null, why);
    }

    static Trial of(TwinAnswer asked, TwinAnswer better) {
      String refusal = asked.refusal().isEmpty() ? better.refusal() : asked.refusal();
      return new Trial(asked.start(), better.start(), refusal);
    }
  }
}

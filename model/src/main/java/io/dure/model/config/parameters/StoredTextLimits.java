package io.dure.model.config.parameters;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much text jobs may bring, as {@code SchedulerParameters} says.
 *
 * @param submitLineBytes longest command line of a submission, and most bytes of a script's
 *     arguments together
 * @param environmentBytes most bytes of a job's environment
 * @param userBytes most bytes of all that the jobs of one user say, 0 where nothing is set
 */
public record StoredTextLimits(int submitLineBytes, int environmentBytes, long userBytes) {
  /** Slurm's parameter for the command line. */
  public static final String SUBMIT_LINE = "max_submit_line_size";

  /** The parameter for the environment, which Slurm does not have. */
  public static final String ENVIRONMENT = "max_environment_size";

  /** The parameter for all jobs of a user, which Slurm does not have. */
  public static final String USER = "max_user_text_size";

  /** All that are taken. */
  public static final List<String> NAMES = List.of(SUBMIT_LINE, ENVIRONMENT, USER);

  private static final long USUAL_USER_BYTES = 256L << 20;
  private static final long USUAL_JOB_BYTES = 4096;

  private static final int MIB = 1 << 20;

  /** Is told what is wrong. */
  @FunctionalInterface
  public interface ProblemListener {
    /** A value that is not taken, and what to write. */
    void error(String message, String remedy);
  }

  /** The limits that these parameters set; where one is missing or wrong, the usual one. */
  public static StoredTextLimits of(Map<String, String> parameters) {
    return read(parameters, (_, _) -> {});
  }

  /**
   * The same.
   *
   * @param report is told of values that are not taken; the usual ones hold then
   */
  public static StoredTextLimits read(Map<String, String> parameters, ProblemListener report) {
    return new StoredTextLimits(
        (int) number(parameters, SUBMIT_LINE, 4 * MIB, MIB, report),
        (int) number(parameters, ENVIRONMENT, 8 * MIB, 2 * MIB, report),
        number(parameters, USER, 1L << 50, 0, report));
  }

  /**
   * The most bytes of all that the jobs of one user say: where nothing is set 256 MiB, or 4 KiB for
   * each job that there may be where that is more.
   *
   * @param maxJobCount how many jobs there may be
   */
  public long userBytes(int maxJobCount) {
    return userBytes > 0 ? userBytes : Math.max(USUAL_USER_BYTES, USUAL_JOB_BYTES * maxJobCount);
  }

  private static long number(
      Map<String, String> parameters, String name, long most, long usual, ProblemListener report) {
    @Nullable String text = parameters.get(name);
    if (text == null) {
      return usual;
    }
    BoundedNumber number = new BoundedNumber(name, text, 1, most);
    if (number.value() == null) {
      report.error(number.problem(), number.remedy());
    }
    return Objects.requireNonNullElse(number.value(), usual);
  }
}

package io.dure.model.config.queueorder;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads which order {@code SchedulerParameters} asks for: {@code policy=dure} with the parameters
 * that begin with {@code dure_}, or {@code policy=slurm}, which is also meant where no word of it
 * is said.
 */
public final class PolicySettingsReader {
  /** The word that chooses the order. */
  public static final String POLICY = "policy";

  /** How much of a CPU forecasts of starts may take, in percent; whatever the order. */
  public static final String FORECAST = "dure_forecast";

  private static final int USUAL_FORECAST = 25;

  /** All that are taken. */
  public static final List<String> NAMES =
      List.of(
          POLICY,
          "dure_interval",
          "dure_promises",
          "dure_width",
          "dure_patience",
          "dure_backlog_share",
          "dure_least_bound",
          "dure_most_bound",
          "dure_short_share",
          "dure_overload_share",
          "dure_wide_earlier",
          "dure_bands",
          FORECAST);

  private final Map<String, String> parameters;
  private final ProblemListener report;

  /** Is told what is wrong. */
  @FunctionalInterface
  public interface ProblemListener {
    /** A value that is not taken, and what to write. */
    void error(String message, String remedy);
  }

  private PolicySettingsReader(Map<String, String> parameters, ProblemListener report) {
    this.parameters = parameters;
    this.report = report;
  }

  /**
   * Reads them.
   *
   * @param parameters by name
   * @param report is told of values that are not taken; the usual ones hold then
   * @return null where Slurm's order is asked for
   */
  public static @Nullable PolicySettings read(
      Map<String, String> parameters, ProblemListener report) {
    String policy = parameters.get(POLICY);
    PolicySettingsReader reader = new PolicySettingsReader(parameters, report);
    PolicySettings numbers = reader.numbers();
    reader.number(FORECAST, 0, 100, USUAL_FORECAST);
    if (policy != null && !policy.equals("dure") && !policy.equals("slurm")) {
      report.error(
          "policy: there is no order " + policy, "Write policy=dure, or policy=slurm for Slurm's");
    }
    return "dure".equals(policy) ? numbers : null;
  }

  /** How much of a CPU forecasts of starts may take, in percent; 0 if none are to be made. */
  public static int forecastShare(Map<String, String> parameters) {
    return new PolicySettingsReader(parameters, (_, _) -> {})
        .number(FORECAST, 0, 100, USUAL_FORECAST);
  }

  private PolicySettings numbers() {
    PolicySettings usual = PolicySettings.USUAL;
    return new PolicySettings(
        Duration.ofSeconds(number("dure_interval", 1, 3600, (int) usual.interval().toSeconds())),
        number("dure_promises", 1, 10_000, usual.promises()),
        number("dure_width", 0, 200, usual.width()),
        number("dure_patience", 0, 200, usual.patience()),
        number("dure_backlog_share", 0, 1000, usual.backlogShare()),
        Duration.ofHours(number("dure_least_bound", 0, 8760, (int) usual.leastBound().toHours())),
        Duration.ofHours(number("dure_most_bound", 1, 8760, (int) usual.mostBound().toHours())),
        usual.formerNewBound(),
        usual.formerNewFor(),
        usual.formerPromiseShare(),
        number("dure_bands", 1, 9, usual.bands()),
        usual.formerUrgency(),
        usual.formerUrgentFrom(),
        usual.formerOverdueAt(),
        number("dure_short_share", 0, 100, usual.shortShare()),
        number("dure_overload_share", 0, 100, usual.overloadShare()),
        number("dure_wide_earlier", 0, 100, usual.wideEarlier()));
  }

  /** A number within bounds; what is not one is reported, and the usual value holds. */
  private int number(String name, int least, int most, int usual) {
    String text = parameters.get(name);
    if (text == null) {
      return usual;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported with what is out of bounds.
    }
    report.error(
        name + ": value (" + text + ") is not a number from " + least + " to " + most,
        "Write " + name + "=NUMBER");
    return usual;
  }
}

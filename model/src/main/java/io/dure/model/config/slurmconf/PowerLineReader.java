package io.dure.model.config.slurmconf;

import io.dure.model.config.power.PartitionPower;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.power.PowerSettingsReader;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the keys of power saving into settings. */
final class PowerLineReader {
  private static final int MOST_RATE = 1_000_000;

  private PowerLineReader() {}

  /** Those of the cluster. */
  static PowerSettings ofCluster(SectionValues values, SourceLocation start) {
    DiagnosticCollector diagnostics = values.diagnostics();
    PowerSettings power =
        new PowerSettings(
            values.text("SuspendProgram"),
            values.text("ResumeProgram"),
            values.text("ResumeFailProgram"),
            values.seconds("SuspendTime"),
            values.finiteSeconds("SuspendTimeout"),
            values.finiteSeconds("ResumeTimeout"),
            values.integer("SuspendRate", 0, MOST_RATE),
            values.integer("ResumeRate", 0, MOST_RATE),
            PowerSettingsReader.keptUp(
                values.repeated("SuspendExcNodes"),
                (message, remedy) ->
                    diagnostics.error(
                        values.place("SuspendExcNodes", start),
                        "SuspendExcNodes",
                        message,
                        remedy)),
            values.repeated("SuspendExcParts").stream()
                .flatMap(value -> ValueSyntax.list(value).stream())
                .toList(),
            PowerSettingsReader.keptStates(
                values.list("SuspendExcStates"),
                (message, remedy) ->
                    diagnostics.found(
                        values.place("SuspendExcStates", start),
                        "SuspendExcStates",
                        message,
                        remedy)));
    boolean asked = power.suspendTime() != null || values.isSet("SuspendProgram");
    if (asked && !power.isEnabled()) {
      String message = "nodes are switched off only with SuspendProgram and ResumeProgram";
      diagnostics.warning(
          values.place("SuspendProgram", values.place("SuspendTime", start)),
          "SuspendProgram",
          message,
          "Write both");
    }
    return power;
  }

  /** Those of a partition. */
  static PartitionPower ofPartition(SectionValues line) {
    return new PartitionPower(
        time(line, "SuspendTime"),
        time(line, "SuspendTimeout"),
        time(line, "ResumeTimeout"),
        line.flag("PowerDownOnIdle"));
  }

  /** A time that a line may say; {@link PowerSettings#NEVER} where it says that it is none. */
  static @Nullable Duration time(SectionValues line, String key) {
    if (line.text(key).isEmpty()) {
      return null;
    }
    return Objects.requireNonNullElse(line.seconds(key), PowerSettings.NEVER);
  }
}

package io.dure.core.scheduler;

import io.dure.core.accounting.PrioritySettings;
import io.dure.core.config.Settings;
import io.dure.core.config.backfill.BackfillSettings;
import io.dure.core.config.policy.PolicySettings;
import io.dure.core.config.preempt.PreemptSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings with Slurm's defaults, apart from scheduling. */
final class TestSettings {
  private TestSettings() {}

  static Settings of(
      Settings.Unit unit,
      boolean memory,
      boolean backfill,
      BackfillSettings promises,
      @Nullable PolicySettings policy) {
    Settings.Scheduling scheduling =
        new Settings.Scheduling(
            unit,
            memory,
            backfill,
            false,
            100,
            1001,
            Duration.ofMinutes(2),
            Map.of(),
            4 << 20,
            Duration.ZERO,
            promises,
            Duration.ofMinutes(5),
            policy);
    return new Settings(
        controller(),
        daemon(),
        jobs(),
        scheduling,
        scripts(),
        PrioritySettings.USUAL,
        null,
        PreemptSettings.NONE);
  }

  private static Settings.Controller controller() {
    return new Settings.Controller(
        "test",
        List.of(new Settings.Host("c", "c")),
        "",
        6817,
        1,
        "root",
        "/state",
        "/pid",
        "",
        "info",
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        Settings.ReturnToService.AFTER_SILENCE,
        List.of(),
        List.of());
  }

  private static Settings.Daemon daemon() {
    return new Settings.Daemon(
        6818,
        "root",
        "/spool",
        "/pid",
        "",
        "info",
        "/tmp",
        "cgroup",
        List.of(),
        false,
        Duration.ofMinutes(1),
        null);
  }

  private static Settings.Jobs jobs() {
    return new Settings.Jobs(
        1,
        1_000_000,
        10_000,
        1001,
        512,
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        Duration.ZERO,
        Duration.ofSeconds(10),
        Duration.ZERO,
        true,
        5,
        List.of(),
        List.of(),
        false,
        false,
        List.of(),
        false,
        10,
        Settings.EnforcePartLimits.NO,
        null,
        null);
  }

  private static Settings.Scripts scripts() {
    return new Settings.Scripts(
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        "",
        "",
        List.of(),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1));
  }
}

package io.dure.scheduler;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ConfText;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.config.SiteRules;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.config.step.StepSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings with Slurm's defaults, apart from scheduling. */
final class TestSettings {
  private TestSettings() {}

  static ClusterSettings of(
      ClusterSettings.Unit unit,
      boolean memory,
      boolean backfill,
      BackfillSettings promises,
      @Nullable PolicySettings policy,
      PreemptSettings preempt) {
    ClusterSettings.Scheduling scheduling =
        new ClusterSettings.Scheduling(
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
            policy,
            false,
            false);
    return new ClusterSettings(
        controller(),
        daemon(),
        jobs(),
        scheduling,
        scripts(),
        PrioritySettings.USUAL,
        null,
        preempt,
        PowerSettings.NONE,
        ControllerPrograms.USUAL,
        SiteRules.USUAL,
        StepSettings.USUAL);
  }

  private static ClusterSettings.Controller controller() {
    return new ClusterSettings.Controller(
        "test",
        List.of(new ClusterSettings.Host("c", "c")),
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
        ClusterSettings.ReturnToService.AFTER_SILENCE,
        List.of(),
        List.of(),
        false,
        AccountingStorage.NONE,
        List.of());
  }

  private static ClusterSettings.Daemon daemon() {
    return new ClusterSettings.Daemon(
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
        null,
        null,
        "",
        "",
        null);
  }

  private static ClusterSettings.Jobs jobs() {
    return new ClusterSettings.Jobs(
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
        ClusterSettings.EnforcePartLimits.NO,
        null,
        null);
  }

  private static ClusterSettings.Scripts scripts() {
    return new ClusterSettings.Scripts(
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

  /** Dure's own order, worked out anew each second, with these settings of it. */
  static PolicySettings policy(String... settings) {
    String all = String.join("", Stream.of(settings).map(one -> "," + one).toList());
    return Objects.requireNonNull(
        ConfText.with("SchedulerParameters=policy=dure,dure_interval=1" + all + "\n")
            .config()
            .settings()
            .scheduling()
            .policy());
  }
}

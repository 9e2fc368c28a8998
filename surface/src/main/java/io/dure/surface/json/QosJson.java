package io.dure.surface.json;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.surface.accounts.TresNumbers;
import java.util.List;
import java.util.Locale;

/** A document of QOS, with the members that Slurm's data parser gives them. */
public final class QosJson {
  private QosJson() {}

  /** Writes QOS. */
  public static void print(JsonTarget target, String cluster, List<Qos> all, TresNumbers numbers) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_slurmdbd_qos_resp")) {
      json.object().list("qos");
      all.forEach(one -> write(json, one, numbers));
      json.endList();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void write(SlurmJsonWriter json, Qos qos, TresNumbers numbers) {
    json.object()
        .text("description", qos.description())
        .texts("flags", qos.flags().stream().map(QosJson::word).toList())
        .number("id", qos.id())
        .object("limits")
        .number("grace_time", qos.graceTime().toSeconds());
    most(new LimitsJson(json, qos.limits(), numbers));
    json.decimal("factor", qos.limitFactor()).object("min");
    new LimitsJson(json, qos.limits(), numbers)
        .bound("priority_threshold", LimitKind.MIN_PRIO_THRESHOLD)
        .object("tres")
        .object("per")
        .tres("job", LimitKind.MIN_TRES_PER_JOB)
        .end()
        .end();
    String mode = qos.preemptMode() == null ? "disabled" : qos.preemptMode();
    json.endObject()
        .endObject()
        .text("name", qos.name())
        .object("preempt")
        .texts("list", qos.preempt())
        .texts("mode", List.of(mode.toUpperCase(Locale.ROOT)))
        .maybe("exempt_time", qos.exemptTime() == null ? null : qos.exemptTime().toSeconds())
        .endObject()
        .maybe("priority", Long.valueOf(qos.priority()))
        .decimal("usage_factor", qos.usageFactor())
        .decimal("usage_threshold", qos.usageThreshold())
        .endObject();
  }

  /** {@code DENY_LIMIT} for {@code DenyOnLimit}, in the words of the data parser. */
  private static String word(QosFlag flag) {
    return switch (flag.word()) {
      case "DenyOnLimit" -> "DENY_LIMIT";
      case "EnforceUsageThreshold" -> "ENFORCE_USAGE_THRESHOLD";
      case "NoReserve" -> "NO_RESERVE";
      case "NoDecay" -> "NO_DECAY";
      case "OverPartQOS" -> "OVERRIDE_PARTITION_QOS";
      case "PartitionMaxNodes" -> "PARTITION_MAXIMUM_NODE";
      case "PartitionMinNodes" -> "PARTITION_MINIMUM_NODE";
      case "PartitionTimeLimit" -> "PARTITION_TIME_LIMIT";
      case "RequiresReservation" -> "REQUIRED_RESERVATION";
      case "UsageFactorSafe" -> "USAGE_FACTOR_SAFE";
      default -> flag.word().toUpperCase(Locale.ROOT);
    };
  }

  private static void most(LimitsJson limits) {
    limits
        .object("max")
        .object("active_jobs")
        .bound("accruing", LimitKind.GRP_JOBS_ACCRUE)
        .bound("count", LimitKind.GRP_JOBS)
        .end()
        .object("jobs")
        .bound("count", LimitKind.GRP_SUBMIT_JOBS)
        .object("active_jobs")
        .object("per")
        .bound("account", LimitKind.MAX_JOBS_PER_ACCOUNT)
        .bound("user", LimitKind.MAX_JOBS_PER_USER)
        .end()
        .end()
        .object("per")
        .bound("account", LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT)
        .bound("user", LimitKind.MAX_SUBMIT_JOBS_PER_USER)
        .end()
        .end()
        .object("tres")
        .tres("total", LimitKind.GRP_TRES)
        .object("minutes")
        .tres("total", LimitKind.GRP_TRES_MINS)
        .object("per")
        .tres("qos", LimitKind.GRP_TRES_RUN_MINS)
        .tres("job", LimitKind.MAX_TRES_MINS_PER_JOB)
        .tres("account", LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT)
        .tres("user", LimitKind.MAX_TRES_RUN_MINS_PER_USER)
        .end()
        .end()
        .object("per")
        .tres("account", LimitKind.MAX_TRES_PER_ACCOUNT)
        .tres("job", LimitKind.MAX_TRES_PER_JOB)
        .tres("node", LimitKind.MAX_TRES_PER_NODE)
        .tres("user", LimitKind.MAX_TRES_PER_USER)
        .end()
        .end()
        .object("wall_clock")
        .object("per")
        .bound("qos", LimitKind.GRP_WALL)
        .bound("job", LimitKind.MAX_WALL)
        .end()
        .end()
        .object("accruing")
        .object("per")
        .bound("account", LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT)
        .bound("user", LimitKind.MAX_JOBS_ACCRUE_PER_USER)
        .end()
        .end()
        .end();
  }
}

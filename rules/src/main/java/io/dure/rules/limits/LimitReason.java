package io.dure.rules.limits;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import org.jspecify.annotations.Nullable;

/** The words for limits that keep a job waiting, as Slurm spells them. All functions are pure. */
final class LimitReason {
  private LimitReason() {}

  /** Of an association. */
  static String assoc(LimitKind limit, @Nullable String tres) {
    return switch (limit) {
      case GRP_JOBS -> "AssocGrpJobsLimit";
      case GRP_WALL -> "AssocGrpWallLimit";
      case GRP_TRES -> {
        String kind = kind(tres);
        yield switch (kind) {
          case "Cpu", "Mem", "Node" -> "AssocGrp" + kind + "Limit";
          default -> "AssocGrp" + kind;
        };
      }
      case GRP_TRES_MINS -> minutes("AssocGrp", tres, "Minutes");
      case GRP_TRES_RUN_MINS -> minutes("AssocGrp", tres, "RunMinutes");
      case MAX_JOBS -> "AssocMaxJobsLimit";
      case MAX_WALL -> "AssocMaxWallDurationPerJobLimit";
      case MAX_TRES_PER_JOB -> perJob("AssocMax", kind(tres));
      case MAX_TRES_PER_NODE -> "AssocMax" + kind(tres) + "PerNode";
      case MAX_TRES_MINS_PER_JOB ->
          kind(tres).equals("Cpu")
              ? "AssocMaxCpuMinutesPerJobLimit"
              : "AssocMax" + kind(tres) + "MinutesPerJob";
      default -> "AssociationResourceLimit";
    };
  }

  /** Of a QOS, where memory has another name. */
  static String qos(LimitKind limit, @Nullable String tres) {
    String kind = kind(tres).equals("Mem") ? "Memory" : kind(tres);
    return switch (limit) {
      case GRP_JOBS -> "QOSGrpJobsLimit";
      case GRP_WALL -> "QOSGrpWallLimit";
      case GRP_TRES ->
          switch (kind) {
            case "Cpu", "Node" -> "QOSGrp" + kind + "Limit";
            case "Memory" -> "QOSGrpMemLimit";
            default -> "QOSGrp" + kind;
          };
      case GRP_TRES_MINS -> minutes("QOSGrp", tres, "Minutes");
      case GRP_TRES_RUN_MINS -> minutes("QOSGrp", tres, "RunMinutes");
      case MAX_WALL -> "QOSMaxWallDurationPerJobLimit";
      case MAX_TRES_PER_JOB -> perJob("QOSMax", kind);
      case MAX_TRES_PER_NODE -> "QOSMax" + kind + "PerNode";
      case MAX_TRES_RUN_MINS_PER_USER -> "Max" + kind + "RunMinsPerUser";
      case MAX_TRES_RUN_MINS_PER_ACCOUNT -> "Max" + kind + "RunMinsPerAccount";
      case MAX_TRES_MINS_PER_JOB ->
          kind.equals("Cpu") ? "QOSMaxCpuMinutesPerJobLimit" : "QOSMax" + kind + "MinutesPerJob";
      case MAX_JOBS_PER_USER -> "QOSMaxJobsPerUserLimit";
      case MAX_JOBS_PER_ACCOUNT -> "MaxJobsPerAccount";
      case MAX_TRES_PER_USER ->
          switch (kind) {
            case "Cpu", "Node" -> "QOSMax" + kind + "PerUserLimit";
            default -> "QOSMax" + kind + "PerUser";
          };
      case MAX_TRES_PER_ACCOUNT -> "Max" + kind + "PerAccount";
      case MIN_TRES_PER_JOB -> kind.equals("Cpu") ? "QOSMinCpuNotSatisfied" : "QOSMin" + kind;
      default -> "QOSResourceLimit";
    };
  }

  private static String perJob(String prefix, String kind) {
    return switch (kind) {
      case "Cpu", "Node" -> prefix + kind + "PerJobLimit";
      default -> prefix + kind + "PerJob";
    };
  }

  private static String minutes(String prefix, @Nullable String tres, String what) {
    String kind = kind(tres);
    if (kind.equals("Cpu")) {
      return prefix + "CPU" + what + "Limit";
    }
    return prefix + (prefix.startsWith("QOS") && kind.equals("Mem") ? "Memory" : kind) + what;
  }

  private static String kind(@Nullable String tres) {
    if (tres == null) {
      return "Unknown";
    }
    return switch (tres) {
      case TresAmounts.CPU -> "Cpu";
      case TresAmounts.MEMORY -> "Mem";
      case TresAmounts.NODE -> "Node";
      case TresAmounts.BILLING -> "Billing";
      case "energy" -> "Energy";
      default ->
          tres.startsWith("gres/")
              ? "GRES"
              : tres.startsWith("license/") ? "License" : tres.startsWith("bb/") ? "BB" : "Unknown";
    };
  }
}

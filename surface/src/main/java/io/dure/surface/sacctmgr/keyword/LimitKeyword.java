package io.dure.surface.sacctmgr.keyword;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.accounts.AmountFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A limit as it is called in settings.
 *
 * @param name what it is called
 * @param limit what it bounds
 * @param tres the one resource that it bounds, null for all
 */
public record LimitKeyword(String name, LimitKind limit, @Nullable String tres) {
  private static final int SHORTEST = 5;

  private static final List<LimitKeyword> SHARED =
      List.of(
          of("GrpTRES", LimitKind.GRP_TRES),
          of("GrpTRESMins", LimitKind.GRP_TRES_MINS),
          of("GrpTRESRunMins", LimitKind.GRP_TRES_RUN_MINS),
          of("GrpJobs", LimitKind.GRP_JOBS),
          of("GrpJobsAccrue", LimitKind.GRP_JOBS_ACCRUE),
          of("GrpSubmitJobs", LimitKind.GRP_SUBMIT_JOBS),
          of("GrpWall", LimitKind.GRP_WALL),
          of("MaxTRESPerJob", LimitKind.MAX_TRES_PER_JOB),
          of("MaxTRESPJ", LimitKind.MAX_TRES_PER_JOB),
          of("MaxTRESPerNode", LimitKind.MAX_TRES_PER_NODE),
          of("MaxTRESPN", LimitKind.MAX_TRES_PER_NODE),
          of("MaxTRESMinsPerJob", LimitKind.MAX_TRES_MINS_PER_JOB),
          of("MaxTRESMinsPJ", LimitKind.MAX_TRES_MINS_PER_JOB),
          of("MaxWallDurationPerJob", LimitKind.MAX_WALL),
          of("MinPrioThreshold", LimitKind.MIN_PRIO_THRESHOLD),
          one("GrpCPUs", LimitKind.GRP_TRES, TresAmounts.CPU),
          one("GrpMemory", LimitKind.GRP_TRES, TresAmounts.MEMORY),
          one("GrpNodes", LimitKind.GRP_TRES, TresAmounts.NODE),
          one("GrpCPUMins", LimitKind.GRP_TRES_MINS, TresAmounts.CPU),
          one("GrpCPURunMins", LimitKind.GRP_TRES_RUN_MINS, TresAmounts.CPU),
          one("MaxCPUsPerJob", LimitKind.MAX_TRES_PER_JOB, TresAmounts.CPU),
          one("MaxNodesPerJob", LimitKind.MAX_TRES_PER_JOB, TresAmounts.NODE),
          one("MaxCPUMinsPerJob", LimitKind.MAX_TRES_MINS_PER_JOB, TresAmounts.CPU));

  private static final List<LimitKeyword> OF_ASSOCIATIONS =
      List.of(
          of("MaxTRESRunMins", LimitKind.MAX_TRES_RUN_MINS),
          of("MaxJobs", LimitKind.MAX_JOBS),
          of("MaxJobsAccrue", LimitKind.MAX_JOBS_ACCRUE),
          of("MaxSubmitJobs", LimitKind.MAX_SUBMIT_JOBS));

  private static final List<LimitKeyword> OF_QOS =
      List.of(
          of("MaxTRESPerUser", LimitKind.MAX_TRES_PER_USER),
          of("MaxTRESPU", LimitKind.MAX_TRES_PER_USER),
          of("MaxTRESPerAccount", LimitKind.MAX_TRES_PER_ACCOUNT),
          of("MaxTRESPA", LimitKind.MAX_TRES_PER_ACCOUNT),
          of("MaxTRESRunMinsPerUser", LimitKind.MAX_TRES_RUN_MINS_PER_USER),
          of("MaxTRESRunMinsPU", LimitKind.MAX_TRES_RUN_MINS_PER_USER),
          of("MaxTRESRunMinsPerAccount", LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT),
          of("MaxTRESRunMinsPA", LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT),
          of("MaxJobsPerUser", LimitKind.MAX_JOBS_PER_USER),
          of("MaxJobsPU", LimitKind.MAX_JOBS_PER_USER),
          of("MaxJobsPerAccount", LimitKind.MAX_JOBS_PER_ACCOUNT),
          of("MaxJobsPA", LimitKind.MAX_JOBS_PER_ACCOUNT),
          of("MaxJobsAccruePerUser", LimitKind.MAX_JOBS_ACCRUE_PER_USER),
          of("MaxJobsAccruePU", LimitKind.MAX_JOBS_ACCRUE_PER_USER),
          of("MaxJobsAccruePerAccount", LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT),
          of("MaxJobsAccruePA", LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT),
          of("MaxSubmitJobsPerUser", LimitKind.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitJobsPU", LimitKind.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitPU", LimitKind.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitJobsPerAccount", LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MaxSubmitJobsPA", LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MaxSubmitPA", LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MinTRESPerJob", LimitKind.MIN_TRES_PER_JOB),
          one("MaxCPUsPerUser", LimitKind.MAX_TRES_PER_USER, TresAmounts.CPU),
          one("MaxNodesPerUser", LimitKind.MAX_TRES_PER_USER, TresAmounts.NODE),
          one("MinCPUsPerJob", LimitKind.MIN_TRES_PER_JOB, TresAmounts.CPU));

  private static LimitKeyword of(String name, LimitKind limit) {
    return new LimitKeyword(name, limit, null);
  }

  private static LimitKeyword one(String name, LimitKind limit, String tres) {
    return new LimitKeyword(name, limit, tres);
  }

  /** The limit of associations, or of QOS, that a key names; null for none. */
  public static @Nullable LimitKeyword find(String key, boolean ofQos) {
    List<LimitKeyword> all = new ArrayList<>(SHARED);
    all.addAll(ofQos ? OF_QOS : OF_ASSOCIATIONS);
    for (LimitKeyword word : all) {
      if (word.name.equalsIgnoreCase(key)) {
        return word;
      }
    }
    for (LimitKeyword word : all) {
      if (key.length() >= SHORTEST && word.name.toLowerCase(Locale.ROOT).startsWith(key)) {
        return word;
      }
    }
    return null;
  }

  /**
   * The limits with this one set as typed.
   *
   * @param problems takes up what is wrong with the value
   * @return null if something is
   */
  public @Nullable AccountingLimits set(
      AccountingLimits limits, String value, List<String> problems) {
    if (limit.isOfTres() && tres == null) {
      List<String> unknown = new ArrayList<>();
      AccountingLimits next =
          AmountFormat.with(limits, limit, value.toLowerCase(Locale.ROOT), unknown);
      if (next == null) {
        problems.add(
            "slurmdb_format_tres_str: no TRES known by type " + beforeEquals(unknown.getFirst()));
      }
      return next;
    }
    AmountFormat.Bound bound =
        limit.unit() == LimitKind.Unit.MINUTES
            ? AmountFormat.minutes(value)
            : AmountFormat.count(value);
    if (bound == null) {
      problems.add("Invalid value for " + shown() + " (" + value + ")");
      return null;
    }
    return limits.with(limit, tres, bound.bound());
  }

  private String shown() {
    return name.equals("MaxWallDurationPerJob") ? "MaxWall" : name;
  }

  private static String beforeEquals(String text) {
    int equals = text.indexOf('=');
    return equals < 0 ? text : text.substring(0, equals);
  }
}

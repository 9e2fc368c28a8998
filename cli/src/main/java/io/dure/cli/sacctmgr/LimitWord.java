package io.dure.cli.sacctmgr;

import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.TresAmounts;
import io.dure.surface.accounts.Amounts;
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
record LimitWord(String name, Limit limit, @Nullable String tres) {
  private static final int SHORTEST = 5;

  private static final List<LimitWord> SHARED =
      List.of(
          of("GrpTRES", Limit.GRP_TRES),
          of("GrpTRESMins", Limit.GRP_TRES_MINS),
          of("GrpTRESRunMins", Limit.GRP_TRES_RUN_MINS),
          of("GrpJobs", Limit.GRP_JOBS),
          of("GrpJobsAccrue", Limit.GRP_JOBS_ACCRUE),
          of("GrpSubmitJobs", Limit.GRP_SUBMIT_JOBS),
          of("GrpWall", Limit.GRP_WALL),
          of("MaxTRESPerJob", Limit.MAX_TRES_PER_JOB),
          of("MaxTRESPJ", Limit.MAX_TRES_PER_JOB),
          of("MaxTRESPerNode", Limit.MAX_TRES_PER_NODE),
          of("MaxTRESPN", Limit.MAX_TRES_PER_NODE),
          of("MaxTRESMinsPerJob", Limit.MAX_TRES_MINS_PER_JOB),
          of("MaxTRESMinsPJ", Limit.MAX_TRES_MINS_PER_JOB),
          of("MaxWallDurationPerJob", Limit.MAX_WALL),
          of("MinPrioThreshold", Limit.MIN_PRIO_THRESHOLD),
          one("GrpCPUs", Limit.GRP_TRES, TresAmounts.CPU),
          one("GrpMemory", Limit.GRP_TRES, TresAmounts.MEMORY),
          one("GrpNodes", Limit.GRP_TRES, TresAmounts.NODE),
          one("GrpCPUMins", Limit.GRP_TRES_MINS, TresAmounts.CPU),
          one("GrpCPURunMins", Limit.GRP_TRES_RUN_MINS, TresAmounts.CPU),
          one("MaxCPUsPerJob", Limit.MAX_TRES_PER_JOB, TresAmounts.CPU),
          one("MaxNodesPerJob", Limit.MAX_TRES_PER_JOB, TresAmounts.NODE),
          one("MaxCPUMinsPerJob", Limit.MAX_TRES_MINS_PER_JOB, TresAmounts.CPU));

  private static final List<LimitWord> OF_ASSOCIATIONS =
      List.of(
          of("MaxTRESRunMins", Limit.MAX_TRES_RUN_MINS),
          of("MaxJobs", Limit.MAX_JOBS),
          of("MaxJobsAccrue", Limit.MAX_JOBS_ACCRUE),
          of("MaxSubmitJobs", Limit.MAX_SUBMIT_JOBS));

  private static final List<LimitWord> OF_QOS =
      List.of(
          of("MaxTRESPerUser", Limit.MAX_TRES_PER_USER),
          of("MaxTRESPU", Limit.MAX_TRES_PER_USER),
          of("MaxTRESPerAccount", Limit.MAX_TRES_PER_ACCOUNT),
          of("MaxTRESPA", Limit.MAX_TRES_PER_ACCOUNT),
          of("MaxTRESRunMinsPerUser", Limit.MAX_TRES_RUN_MINS_PER_USER),
          of("MaxTRESRunMinsPU", Limit.MAX_TRES_RUN_MINS_PER_USER),
          of("MaxTRESRunMinsPerAccount", Limit.MAX_TRES_RUN_MINS_PER_ACCOUNT),
          of("MaxTRESRunMinsPA", Limit.MAX_TRES_RUN_MINS_PER_ACCOUNT),
          of("MaxJobsPerUser", Limit.MAX_JOBS_PER_USER),
          of("MaxJobsPU", Limit.MAX_JOBS_PER_USER),
          of("MaxJobsPerAccount", Limit.MAX_JOBS_PER_ACCOUNT),
          of("MaxJobsPA", Limit.MAX_JOBS_PER_ACCOUNT),
          of("MaxJobsAccruePerUser", Limit.MAX_JOBS_ACCRUE_PER_USER),
          of("MaxJobsAccruePU", Limit.MAX_JOBS_ACCRUE_PER_USER),
          of("MaxJobsAccruePerAccount", Limit.MAX_JOBS_ACCRUE_PER_ACCOUNT),
          of("MaxJobsAccruePA", Limit.MAX_JOBS_ACCRUE_PER_ACCOUNT),
          of("MaxSubmitJobsPerUser", Limit.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitJobsPU", Limit.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitPU", Limit.MAX_SUBMIT_JOBS_PER_USER),
          of("MaxSubmitJobsPerAccount", Limit.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MaxSubmitJobsPA", Limit.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MaxSubmitPA", Limit.MAX_SUBMIT_JOBS_PER_ACCOUNT),
          of("MinTRESPerJob", Limit.MIN_TRES_PER_JOB),
          one("MaxCPUsPerUser", Limit.MAX_TRES_PER_USER, TresAmounts.CPU),
          one("MaxNodesPerUser", Limit.MAX_TRES_PER_USER, TresAmounts.NODE),
          one("MinCPUsPerJob", Limit.MIN_TRES_PER_JOB, TresAmounts.CPU));

  private static LimitWord of(String name, Limit limit) {
    return new LimitWord(name, limit, null);
  }

  private static LimitWord one(String name, Limit limit, String tres) {
    return new LimitWord(name, limit, tres);
  }

  /** The limit of associations, or of QOS, that a key names; null for none. */
  static @Nullable LimitWord find(String key, boolean ofQos) {
    List<LimitWord> all = new ArrayList<>(SHARED);
    all.addAll(ofQos ? OF_QOS : OF_ASSOCIATIONS);
    for (LimitWord word : all) {
      if (word.name.equalsIgnoreCase(key)) {
        return word;
      }
    }
    for (LimitWord word : all) {
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
  @Nullable Limits set(Limits limits, String value, List<String> problems) {
    if (limit.isOfTres() && tres == null) {
      List<String> unknown = new ArrayList<>();
      Limits next = Amounts.with(limits, limit, value.toLowerCase(Locale.ROOT), unknown);
      if (next == null) {
        problems.add(
            "slurmdb_format_tres_str: no TRES known by type " + beforeEquals(unknown.getFirst()));
      }
      return next;
    }
    Amounts.Bound bound =
        limit.unit() == Limit.Unit.MINUTES ? Amounts.minutes(value) : Amounts.count(value);
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

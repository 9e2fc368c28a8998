package io.dure.model.accounting;

/** Everything that associations and QOS can bound, by Slurm's names. */
public enum LimitKind {
  GRP_TRES("GrpTRES", Unit.TRES, true),
  GRP_TRES_MINS("GrpTRESMins", Unit.TRES_MINUTES, true),
  GRP_TRES_RUN_MINS("GrpTRESRunMins", Unit.TRES_MINUTES, true),
  GRP_JOBS("GrpJobs", Unit.COUNT, true),
  GRP_JOBS_ACCRUE("GrpJobsAccrue", Unit.COUNT, true),
  GRP_SUBMIT_JOBS("GrpSubmitJobs", Unit.COUNT, true),
  GRP_WALL("GrpWall", Unit.MINUTES, true),
  MAX_TRES_PER_JOB("MaxTRESPerJob", Unit.TRES, false),
  MAX_TRES_PER_NODE("MaxTRESPerNode", Unit.TRES, false),
  MAX_TRES_MINS_PER_JOB("MaxTRESMinsPerJob", Unit.TRES_MINUTES, false),
  MAX_TRES_RUN_MINS("MaxTRESRunMins", Unit.TRES_MINUTES, false),
  MAX_JOBS("MaxJobs", Unit.COUNT, false),
  MAX_JOBS_ACCRUE("MaxJobsAccrue", Unit.COUNT, false),
  MAX_SUBMIT_JOBS("MaxSubmitJobs", Unit.COUNT, false),
  MAX_WALL("MaxWallDurationPerJob", Unit.MINUTES, false),
  MIN_PRIO_THRESHOLD("MinPrioThreshold", Unit.COUNT, false),
  MAX_TRES_PER_USER("MaxTRESPerUser", Unit.TRES, false),
  MAX_TRES_RUN_MINS_PER_USER("MaxTRESRunMinsPerUser", Unit.TRES_MINUTES, false),
  MAX_JOBS_PER_USER("MaxJobsPerUser", Unit.COUNT, false),
  MAX_JOBS_ACCRUE_PER_USER("MaxJobsAccruePerUser", Unit.COUNT, false),
  MAX_SUBMIT_JOBS_PER_USER("MaxSubmitJobsPerUser", Unit.COUNT, false),
  MAX_TRES_PER_ACCOUNT("MaxTRESPerAccount", Unit.TRES, false),
  MAX_TRES_RUN_MINS_PER_ACCOUNT("MaxTRESRunMinsPerAccount", Unit.TRES_MINUTES, false),
  MAX_JOBS_PER_ACCOUNT("MaxJobsPerAccount", Unit.COUNT, false),
  MAX_JOBS_ACCRUE_PER_ACCOUNT("MaxJobsAccruePerAccount", Unit.COUNT, false),
  MAX_SUBMIT_JOBS_PER_ACCOUNT("MaxSubmitJobsPerAccount", Unit.COUNT, false),
  MIN_TRES_PER_JOB("MinTRESPerJob", Unit.TRES, false);

  /** What a limit counts. */
  public enum Unit {
    /** Things. */
    COUNT,
    /** Minutes of time. */
    MINUTES,
    /** An amount of each resource. */
    TRES,
    /** Minutes of each resource. */
    TRES_MINUTES
  }

  private final String word;
  private final Unit unit;
  private final boolean group;

  LimitKind(String word, Unit unit, boolean group) {
    this.word = word;
    this.unit = unit;
    this.group = group;
  }

  /** Slurm's name of it. */
  public String word() {
    return word;
  }

  /** What it counts. */
  public Unit unit() {
    return unit;
  }

  /** Whether it bounds all jobs below together; such a limit is not handed down to children. */
  public boolean isGroup() {
    return group;
  }

  /** Whether it bounds each resource by itself. */
  public boolean isOfTres() {
    return unit == Unit.TRES || unit == Unit.TRES_MINUTES;
  }
}

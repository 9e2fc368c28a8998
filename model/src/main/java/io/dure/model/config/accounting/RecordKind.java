package io.dure.model.config.accounting;

/** The kinds of accounting records that are kept for a time of their own. */
public enum RecordKind {
  /** What the cluster had, and nodes that took no jobs. */
  EVENTS("PurgeEventAfter", "ArchiveEvents", "event", "EVENTS", "EVENT"),
  /** Attempts of jobs, with the steps and suspensions that are still there. */
  JOBS("PurgeJobAfter", "ArchiveJobs", "job", "JOBS", "JOB"),
  /** Reservations. */
  RESERVATIONS("PurgeResvAfter", "ArchiveResvs", "resv", "RESV", "RESV"),
  /** Steps of jobs that are over. */
  STEPS("PurgeStepAfter", "ArchiveSteps", "step", "STEPS", "STEP"),
  /** Suspensions of jobs that are over. */
  SUSPENSIONS("PurgeSuspendAfter", "ArchiveSuspend", "suspend", "SUSPEND", "SUSPEND"),
  /** Changes of the accounts. */
  TRANSACTIONS("PurgeTXNAfter", "ArchiveTXN", "txn", "TXN", "TXN"),
  /** Sums of use. */
  USAGE("PurgeUsageAfter", "ArchiveUsage", "usage", "USAGE", "USAGE");

  private final String purgeKey;
  private final String archiveKey;
  private final String word;
  private final String several;
  private final String last;

  RecordKind(String purgeKey, String archiveKey, String word, String several, String last) {
    this.purgeKey = purgeKey;
    this.archiveKey = archiveKey;
    this.word = word;
    this.several = several;
    this.last = last;
  }

  /** The key that says for how long they are kept. */
  public String purgeKey() {
    return purgeKey;
  }

  /** The key that says whether they are archived then. */
  public String archiveKey() {
    return archiveKey;
  }

  /** The word for one, in names of files. */
  public String word() {
    return word;
  }

  /** The variable that tells an ArchiveScript whether they are to be archived. */
  public String archiveVariable() {
    return "SLURM_ARCHIVE_" + several;
  }

  /** The variable that tells an ArchiveScript up to when. */
  public String lastVariable() {
    return "SLURM_ARCHIVE_LAST_" + last;
  }
}

package io.dure.model;

import org.jspecify.annotations.Nullable;

/**
 * Slurm's numbered errors with the texts that people and tools match. No two have one number. They
 * travel and are stored by the names of the constants, so a number or text may change with a
 * version, a name may not.
 */
public enum ErrorCode {
  /** Slurm's own answer where it has no number. */
  UNSPECIFIED(-1, "Unspecified error"),
  AUTHENTICATION(1007, "Protocol authentication error"),
  INVALID_PARTITION_NAME(2000, "Invalid partition name specified"),
  DEFAULT_PARTITION_NOT_SET(2001, "No partition specified or system default partition"),
  ACCESS_DENIED(2002, "Access/permission denied"),
  PARTITION_GROUP(2003, "User's group not permitted to use this partition"),
  NODES_NOT_IN_PARTITION(2004, "Requested nodes not in this partition"),
  TOO_MANY_CPUS(2005, "More processors requested than permitted"),
  INVALID_NODE_COUNT(2006, "Node count specification invalid"),
  JOB_SCRIPT_MISSING(2009, "Job script not specified"),
  USER_ID_MISSING(2010, "Invalid user id"),
  PATHNAME_TOO_LONG(2012, "Pathname of a file, directory or other parameter too long"),
  NODE_CONFIG_UNAVAILABLE(2014, "Requested node configuration is not available"),
  PARTITION_CONFIG_UNAVAILABLE(2015, "Requested partition configuration not available now"),
  NODES_BUSY(2016, "Requested nodes are busy"),
  INVALID_JOB_ID(2017, "Invalid job id specified"),
  INVALID_NODE_NAME(2018, "Invalid node name specified"),
  TRANSITION_STATE(2020, "Job can not be altered now, try again later"),
  ALREADY_DONE(2021, "Job/step already completing or completed"),
  JOB_PENDING(2024, "Job is pending execution"),
  BAD_TASK_COUNT(2025, "Task count specification invalid"),
  IN_STANDBY(2027, "Slurm backup controller in standby mode"),
  INVALID_NODE_STATE(2028, "Invalid node state specified"),
  INVALID_FEATURE(2029, "Invalid feature specification"),
  ACTIVE_FEATURES(2031, "Active features not subset of available features"),
  NOT_SUPPORTED(2036, "Requested operation not supported on this system"),
  DISABLED(2037, "Requested operation is presently disabled"),
  DEPENDENCY(2038, "Job dependency problem"),
  MEMORY_UNAVAILABLE(2044, "Memory required by task is not available"),
  INVALID_ACCOUNT(2045, "Invalid account or account/partition combination specified"),
  INVALID_LICENSES(2048, "Invalid license specification"),
  ACCOUNTING_POLICY(
      2050,
      "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"),
  INVALID_TIME_LIMIT(2051, "Requested time limit is invalid (missing or exceeds some limit)"),
  RESERVATION_ACCESS(2052, "Access denied to requested reservation"),
  RESERVATION_INVALID(2053, "Requested reservation is invalid"),
  INVALID_TIME_VALUE(2054, "Invalid time specified"),
  RESERVATION_BUSY(2055, "Requested reservation is in use"),
  INVALID_WCKEY(2057, "Invalid wckey specification"),
  RESERVATION_OVERLAP(2058, "Requested reservation overlaps with another reservation"),
  INVALID_QOS(2066, "Invalid qos specification"),
  QOS_PREEMPTION_LOOP(2067, "QOS Preemption loop detected"),
  CPU_COUNT_INVALID(2069, "CPU count specification invalid"),
  PARTITION_NOT_AVAILABLE(2070, "Required partition not available (inactive or drain)"),
  CIRCULAR_DEPENDENCY(2071, "Circular job dependency"),
  INVALID_GRES(2072, "Invalid generic resource (gres) specification"),
  JOB_NOT_PENDING(2073, "Job is no longer pending execution"),
  PARTITION_IN_USE(2075, "Partition is in use"),
  STEP_LIMIT(2076, "Step limit reached for this job"),
  JOB_SUSPENDED(2077, "Job is current suspended, requested operation disabled"),
  RESERVATION_EMPTY(2080, "Reservation request lacks users, groups or accounts"),
  INVALID_ARRAY(2081, "Invalid job array specification"),
  RESERVATION_NAME_DUP(2082, "Duplicate reservation name"),
  JOB_STARTED(2083, "Job has already started"),
  JOB_FINISHED(2084, "Job has already finished"),
  JOB_NOT_SUSPENDED(2087, "Job is not suspended"),
  PRIORITY_NOT_PERSISTENT(2095, "Changes to job priority are not persistent, change nice instead"),
  RESERVATION_STARTED(2104, "Reservation already started"),
  SUBMISSIONS_DISABLED(2105, "System submissions disabled"),
  NOT_HET_JOB_LEADER(2107, "Job not heterogeneous job leader"),
  NOT_WHOLE_HET_JOB(2108, "Operation not permitted on individual component of heterogeneous job"),
  CORE_RESERVATION_UPDATE(2109, "Core-based reservation can not be updated"),
  CORE_COUNTS(2111, "Core count for reservation node list is not consistent!"),
  X11_NOT_AVAIL(2112, "X11 forwarding not available"),
  GROUP_ID_MISSING(2113, "Invalid group id"),
  INVALID_GRES_TYPE(2119, "Invalid GRES specification (with and without type identification)"),
  INVALID_NICE(2123, "Invalid --nice value"),
  INVALID_TIME_MIN(2124, "Invalid time-min specification (exceeds job's time or other limits)"),
  ENVIRONMENT_MISSING(2127, "Environment is missing in job"),
  INVALID_PREFER(2133, "Invalid preferred feature specification"),
  INVALID_ACCOUNTING_FREQUENCY(4003, "Invalid accounting frequency requested"),
  JOBS_ACTIVE_OF_ASSOCIATION(7001, "Job(s) active, cancel job(s) before remove"),
  REST_INVALID_JOBS_DESC(9002, "Jobs description entry not found, empty or not dictionary or list"),
  DATA_CONV_FAILED(9202, "Unable to convert Data type"),
  DATA_TOO_LARGE(9205, "DATA too large to handle"),
  // From here on: no number of Slurm's is known, see number().
  MAX_JOB_COUNT(30001, "MaxJobCount limit reached"),
  RATE_LIMITED(30002, "Rate limit exceeded, please retry momentarily"),
  CANNOT_CANCEL_CRON_JOB(30003, "Cannot cancel scrontab jobs without --cron flag."),
  BAD_INPUT(30011, "Invalid request"),
  NODE_IN_USE(30012, "Node is in use"),
  NODE_REASON_MISSING(30013, "You must specify a reason when DOWNING or DRAINING a node"),
  CANNOT_STORE(30014, "Unable to write to state files"),
  ACCOUNTS_CHANGED(30015, "The accounts were changed by somebody else meanwhile"),
  /** Not given any more; answers that are kept may have it. */
  ARRAY_TOO_LARGE(30016, "Job array index too large");

  /** The first number of those that Slurm has none for. */
  public static final int FIRST_OWN = 30001;

  /** The last of these numbers. */
  public static final int LAST_OWN = 30099;

  private final int number;
  private final String text;

  ErrorCode(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /**
   * Slurm's number; from {@link #FIRST_OWN} to {@link #LAST_OWN}, which Slurm does not use, where
   * it has none or where the number is not known.
   */
  public int number() {
    return number;
  }

  /** The text as Slurm prints it. */
  public String text() {
    return text;
  }

  /** The code of that number, null if there is none. */
  public static @Nullable ErrorCode of(long number) {
    for (ErrorCode code : values()) {
      if (code.number == number) {
        return code;
      }
    }
    return null;
  }
}

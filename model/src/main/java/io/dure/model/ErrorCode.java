package io.dure.model;

/** Slurm's numbered errors with the texts that people and tools match. */
public enum ErrorCode {
  INVALID_PARTITION_NAME(2000, "Invalid partition name specified"),
  DEFAULT_PARTITION_NOT_SET(2001, "No partition specified or system default partition"),
  ACCESS_DENIED(2002, "Access/permission denied"),
  PARTITION_GROUP(2003, "User's group not permitted to use this partition"),
  NODES_NOT_IN_PARTITION(2004, "Requested nodes not in this partition"),
  TOO_MANY_CPUS(2005, "More processors requested than permitted"),
  INVALID_NODE_COUNT(2006, "Node count specification invalid"),
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
  INVALID_NODE_STATE(2028, "Invalid node state specified"),
  INVALID_FEATURE(2029, "Invalid feature specification"),
  ACTIVE_FEATURES(2031, "Active features not subset of available features"),
  INVALID_PREFER(2133, "Invalid preferred feature specification"),
  DEPENDENCY(2037, "Job dependency problem"),
  CIRCULAR_DEPENDENCY(2044, "Circular job dependency"),
  MAX_JOB_COUNT(2041, "MaxJobCount limit reached"),
  INVALID_ACCOUNT(2045, "Invalid account or account/partition combination specified"),
  INVALID_LICENSES(2048, "Invalid license specification"),
  INVALID_TIME_LIMIT(2051, "Requested time limit is invalid (missing or exceeds some limit)"),
  INVALID_NICE(2089, "Invalid --nice value"),
  INVALID_TIME_MIN(2090, "Invalid time-min specification (exceeds job's time or other limits)"),
  RESERVATION_INVALID(2059, "Requested reservation is invalid"),
  INVALID_QOS(2066, "Invalid qos specification"),
  INVALID_WCKEY(2057, "Invalid wckey specification"),
  JOB_NOT_PENDING(2068, "Job is no longer pending execution"),
  INVALID_GRES(2072, "Invalid generic resource (gres) specification"),
  INVALID_GRES_TYPE(2118, "Invalid GRES specification (with and without type identification)"),
  INVALID_ARRAY(2076, "Invalid job array specification"),
  JOB_STARTED(2069, "Job has already started"),
  JOB_FINISHED(2067, "Job has already finished"),
  CPU_COUNT_INVALID(2108, "CPU count specification invalid"),
  MEMORY_UNAVAILABLE(2060, "Memory required by task is not available"),
  NOT_WHOLE_HET_JOB(2108, "Operation not permitted on individual component of heterogeneous job"),
  NOT_HET_JOB_LEADER(2107, "Job not heterogeneous job leader"),
  PRIORITY_NOT_PERSISTENT(2120, "Changes to job priority are not persistent, change nice instead"),
  SUBMISSIONS_DISABLED(2121, "System submissions disabled"),
  RATE_LIMITED(2122, "Rate limit exceeded, please retry momentarily"),
  X11_NOT_AVAIL(2112, "X11 forwarding not available"),
  NOT_SUPPORTED(2123, "Requested operation not supported on this system"),
  BAD_INPUT(2124, "Invalid request"),
  PARTITION_IN_USE(2125, "Partition is in use"),
  NODE_IN_USE(2126, "Node is in use"),
  PARTITION_NOT_AVAILABLE(2126, "Required partition not available (inactive or drain)"),
  DISABLED(2127, "Requested operation is presently disabled"),
  NODE_REASON_MISSING(2128, "You must specify a reason when DOWNING or DRAINING a node"),
  ARRAY_TOO_LARGE(2129, "Job array index too large"),
  AUTHENTICATION(1007, "Protocol authentication error"),
  IN_STANDBY(2027, "Slurm backup controller in standby mode"),
  CANNOT_STORE(2019, "Unable to write to state files"),
  ACCOUNTING_POLICY(
      2050,
      "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"),
  RESERVATION_ACCESS(2057, "Access denied to requested reservation"),
  INVALID_ACCOUNTING_FREQUENCY(4003, "Invalid accounting frequency requested"),
  INVALID_TIME_VALUE(2070, "Invalid time specified"),
  RESERVATION_BUSY(2071, "Requested reservation is in use"),
  RESERVATION_OVERLAP(2073, "Requested reservation overlaps with another reservation"),
  RESERVATION_NAME_DUP(2080, "Duplicate reservation name"),
  RESERVATION_EMPTY(2083, "Reservation request lacks users, groups or accounts"),
  CORE_COUNTS(2132, "Core count for reservation node list is not consistent!"),
  CORE_RESERVATION_UPDATE(2134, "Core-based reservation can not be updated"),
  RESERVATION_STARTED(2130, "Reservation already started"),
  JOB_SUSPENDED(2086, "Job is current suspended"),
  JOB_NOT_SUSPENDED(2087, "Job is not suspended"),
  GROUP_ID_MISSING(2131, "Invalid group id"),
  ACCOUNTS_CHANGED(9001, "The accounts were changed by somebody else meanwhile"),
  STEP_LIMIT(2076, "Step limit reached for this job"),
  QOS_PREEMPTION_LOOP(2067, "QOS Preemption loop detected"),
  CANNOT_CANCEL_CRON_JOB(2135, "Cannot cancel scrontab jobs without --cron flag."),
  JOBS_ACTIVE_OF_ASSOCIATION(7001, "Job(s) active, cancel job(s) before remove"),
  UNSPECIFIED(-1, "Unspecified error");

  private final int number;
  private final String text;

  ErrorCode(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** Slurm's number where it has one. */
  public int number() {
    return number;
  }

  /** The text as Slurm prints it. */
  public String text() {
    return text;
  }
}

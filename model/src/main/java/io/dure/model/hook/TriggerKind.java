package io.dure.model.hook;

import org.jspecify.annotations.Nullable;

/** What a trigger waits for. */
public enum TriggerKind {
  NODE_DOWN("down", null),
  NODE_UP("up", null),
  NODE_DRAINED("drained", null),
  NODE_FAILING("fail", null),
  NODE_IDLE("idle", null),
  JOB_ENDED("fini", null),
  JOB_TIME_LIMIT("time", null),
  RECONFIGURED("reconfig", null),
  PRIMARY_FAILED("primary_slurmctld_failure", "slurmctld"),
  PRIMARY_RUNS_AGAIN("primary_slurmctld_resumed_operation", "slurmctld"),
  PRIMARY_LEADS_AGAIN("primary_slurmctld_resumed_control", "slurmctld"),
  PRIMARY_BUFFER_FULL("primary_slurmctld_acct_buffer_full", "slurmctld"),
  BACKUP_FAILED("backup_slurmctld_failure", "slurmctld"),
  BACKUP_RUNS_AGAIN("backup_slurmctld_resumed_operation", "slurmctld"),
  BACKUP_LEADS("backup_slurmctld_assumed_control", "slurmctld"),
  SLURMDBD_FAILED("primary_slurmdbd_failure", "slurmdbd"),
  SLURMDBD_RUNS_AGAIN("primary_slurmdbd_resumed_operation", "slurmdbd"),
  DATABASE_FAILED("primary_database_failure", "database"),
  DATABASE_RUNS_AGAIN("primary_database_resumed_operation", "database"),
  BURST_BUFFER("burst_buffer", "burst_buffer"),
  FRONT_END("front_end", "front_end");

  private final String word;
  private final @Nullable String resource;

  TriggerKind(String word, @Nullable String resource) {
    this.word = word;
    this.resource = resource;
  }

  /** Slurm's word for it. */
  public String word() {
    return word;
  }

  /** Slurm's word for what it is about, null where that is a job or nodes. */
  public @Nullable String resource() {
    return resource;
  }
}

package io.dure.cli.strigger;

import io.dure.model.hook.TriggerKind;
import io.dure.surface.option.OptionKey;
import org.jspecify.annotations.Nullable;

/** The options of strigger. */
enum StriggerOption implements OptionKey {
  SET("--set", null),
  GET("--get", null),
  CLEAR("--clear", null),
  BURST_BUFFER("--burst_buffer", TriggerKind.BURST_BUFFER),
  FRONT_END("--front_end", TriggerKind.FRONT_END),
  PRIMARY_FAILED("-a --primary_slurmctld_failure", TriggerKind.PRIMARY_FAILED),
  PRIMARY_RUNS_AGAIN("-A --primary_slurmctld_resumed_operation", TriggerKind.PRIMARY_RUNS_AGAIN),
  PRIMARY_LEADS_AGAIN("-b --primary_slurmctld_resumed_control", TriggerKind.PRIMARY_LEADS_AGAIN),
  BACKUP_FAILED("-B --backup_slurmctld_failure", TriggerKind.BACKUP_FAILED),
  BACKUP_RUNS_AGAIN("-c --backup_slurmctld_resumed_operation", TriggerKind.BACKUP_RUNS_AGAIN),
  BACKUP_LEADS("-C --backup_slurmctld_assumed_control", TriggerKind.BACKUP_LEADS),
  DOWN("-d --down", TriggerKind.NODE_DOWN),
  DRAINED("-D --drained", TriggerKind.NODE_DRAINED),
  BUFFER_FULL("-e --primary_slurmctld_acct_buffer_full", TriggerKind.PRIMARY_BUFFER_FULL),
  FAIL("-F --fail", TriggerKind.NODE_FAILING),
  FINI("-f --fini", TriggerKind.JOB_ENDED),
  FLAGS("--flags=", null),
  SLURMDBD_FAILED("-g --primary_slurmdbd_failure", TriggerKind.SLURMDBD_FAILED),
  SLURMDBD_RUNS_AGAIN("-G --primary_slurmdbd_resumed_operation", TriggerKind.SLURMDBD_RUNS_AGAIN),
  DATABASE_FAILED("-h --primary_database_failure", TriggerKind.DATABASE_FAILED),
  DATABASE_RUNS_AGAIN("-H --primary_database_resumed_operation", TriggerKind.DATABASE_RUNS_AGAIN),
  ID("-i --id=", null),
  IDLE("-I --idle", TriggerKind.NODE_IDLE),
  JOB("-j --jobid=", null),
  CLUSTER("-M --cluster= --clusters=", null),
  NODE("-n --node[=]", null),
  NO_HEADER("-N --noheader", null),
  OFFSET("-o --offset=", null),
  PROGRAM("-p --program=", null),
  QUIET("-Q --quiet", null),
  RECONFIG("-r --reconfig", TriggerKind.RECONFIGURED),
  TIME("-t --time", TriggerKind.JOB_TIME_LIMIT),
  UP("-u --up", TriggerKind.NODE_UP),
  USER("--user=", null),
  VERBOSE("-v --verbose", null),
  VERSION("-V --version", null),
  HELP("--help", null),
  USAGE("--usage", null);

  private final String form;
  private final @Nullable TriggerKind kind;

  StriggerOption(String form, @Nullable TriggerKind kind) {
    this.form = form;
    this.kind = kind;
  }

  @Override
  public String form() {
    return form;
  }

  /** What is waited for, null where it says something else. */
  @Nullable TriggerKind kind() {
    return kind;
  }
}

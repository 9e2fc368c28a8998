package io.dure.rest.metrics;

import io.dure.surface.facts.SlurmJobState;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is counted of jobs, by the ends of Slurm's names for it. What Dure does not have is 0. */
enum JobCount {
  ALL("", "Jobs, each task of an array by itself"),
  BOOT_FAIL("_bootfail", "Jobs whose nodes did not boot", SlurmJobState.BOOT_FAIL),
  CANCELLED("_cancelled", "Jobs that were cancelled", SlurmJobState.CANCELLED),
  COMPLETED("_completed", "Jobs that ended with exit status 0", SlurmJobState.COMPLETED),
  COMPLETING("_completing", "Jobs that are cleaned up"),
  CONFIGURING("_configuring", "Jobs whose nodes are made ready"),
  CPUS_ALLOC("_cpus_alloc", "CPUs of running jobs"),
  DEADLINE("_deadline", "Jobs that missed their deadline", SlurmJobState.DEADLINE),
  EXPEDITING("_expediting", "Jobs that are put back with haste"),
  FAILED("_failed", "Jobs that failed", SlurmJobState.FAILED),
  FED_REQUEUED("_fed_requeued", "Jobs that were put back in a federation"),
  FINISHED("_finished", "Jobs that are over, however they ended"),
  HOLD("_hold", "Pending jobs that are held"),
  MEMORY_ALLOC("_memory_alloc", "Memory of running jobs, bytes"),
  NODE_FAILED("_node_failed", "Jobs that lost a node", SlurmJobState.NODE_FAIL),
  NODES_ALLOC("_nodes_alloc", "Nodes of running jobs, once for each job"),
  OUT_OF_MEMORY("_outofmemory", "Jobs that ran out of memory", SlurmJobState.OUT_OF_MEMORY),
  PENDING("_pending", "Jobs that are pending", SlurmJobState.PENDING),
  POWERUP_NODE("_powerup_node", "Jobs whose nodes are switched on"),
  PREEMPTED("_preempted", "Jobs that ended to make room", SlurmJobState.PREEMPTED),
  REQUEUED("_requeued", "Jobs that are cleaned up and go back into the queue"),
  RESIZING("_resizing", "Jobs that change their size"),
  REVOKED("_revoked", "Jobs that another cluster runs"),
  RUNNING("_running", "Jobs that are running", SlurmJobState.RUNNING),
  SIGNALING("_signaling", "Jobs that are being signalled"),
  STAGE_OUT("_stageout", "Jobs whose data is staged out"),
  STARTED("_started", "Jobs that have started"),
  SUSPENDED("_suspended", "Jobs that are suspended", SlurmJobState.SUSPENDED),
  TIMEOUT("_timeout", "Jobs that ran into their time limit", SlurmJobState.TIMEOUT);

  private static final Map<SlurmJobState, JobCount> BY_BASE = new EnumMap<>(SlurmJobState.class);

  static {
    for (JobCount one : values()) {
      if (one.base != null) {
        BY_BASE.put(one.base, one);
      }
    }
  }

  private final String ending;
  private final String help;
  private final @Nullable SlurmJobState base;

  JobCount(String ending, String help) {
    this(ending, help, null);
  }

  JobCount(String ending, String help, @Nullable SlurmJobState base) {
    this.ending = ending;
    this.help = help;
    this.base = base;
  }

  /** What its names end with. */
  String ending() {
    return ending;
  }

  /** What it counts. */
  String help() {
    return help;
  }

  /** What counts the jobs that are that, null if nothing does. */
  static @Nullable JobCount of(SlurmJobState base) {
    return BY_BASE.get(base);
  }
}

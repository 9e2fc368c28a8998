package io.dure.rest.metrics;

import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.facts.SlurmNodeState.Base;
import io.dure.surface.facts.SlurmNodeState.Power;

/**
 * What is counted of nodes, by the ends of Slurm's names for it, which differ between those of the
 * cluster and of a partition. What Dure does not have is 0.
 */
enum NodeCount {
  ALLOCATED("_alloc", "Nodes that are allocated whole"),
  BLOCKED("_blocked", "Nodes that are kept free beside a job that has a block for itself"),
  COMPLETING("_completing", "_cg", "Nodes that clean up after a job"),
  CLOUD("_cloud", "Nodes that exist only while they are wanted"),
  DOWN("_down", "Nodes that are down"),
  DRAIN("_drain", "Nodes that take no new job, as an operator wants it"),
  DRAINED("_drained", "Nodes that take no new job and have none"),
  DRAINING("_draining", "Nodes that take no new job and have some"),
  DYNAMIC_FUTURE("_dyn_future", "Dynamic nodes that are not there yet"),
  DYNAMIC("_dyn_normal", "Dynamic nodes"),
  EXTERNAL("_external", "Nodes without a node daemon"),
  FAIL("_fail", "Nodes that are expected to fail"),
  FUTURE("_future", "Nodes that are not there yet"),
  IDLE("_idle", "Nodes that have no job"),
  INVALID_REGISTRATION("_invalid_reg", "Nodes that registered with too little"),
  MAINTENANCE("_maint", "Nodes that are reserved for work on them"),
  MIXED("_mixed", "Nodes that are allocated in part"),
  NOT_RESPONDING("_noresp", "_no_resp", "Nodes whose daemon is not connected"),
  PLANNED("_planned", "Nodes that are kept for a pending job"),
  POWER_DOWN("_power_down", "Nodes that are to be switched off"),
  POWER_UP("_power_up", "Nodes that are to be switched on"),
  POWERED_DOWN("_powered_down", "Nodes that are switched off"),
  POWERING_DOWN("", "_powering_down", "Nodes that are being switched off"),
  POWERING_UP("_powering_up", "Nodes that are being switched on"),
  REBOOT_ISSUED("_reboot_issued", "Nodes that boot"),
  REBOOT_REQUESTED("_reboot_req", "_reboot_requested", "Nodes that are to boot"),
  RESERVED("_resv", "Nodes in a reservation"),
  UNKNOWN("_unknown", "Nodes that have not registered yet");

  private final String ending;
  private final String partitionEnding;
  private final String help;

  NodeCount(String ending, String help) {
    this(ending, ending, help);
  }

  NodeCount(String ending, String partitionEnding, String help) {
    this.ending = ending;
    this.partitionEnding = partitionEnding;
    this.help = help;
  }

  /** What its name ends with, empty where Slurm has none for the cluster. */
  String ending() {
    return ending;
  }

  /** What its name ends with of a partition. */
  String partitionEnding() {
    return partitionEnding;
  }

  /** What it counts. */
  String help() {
    return help;
  }

  /** Whether a node in that state is counted. */
  boolean counts(SlurmNodeState state) {
    return switch (this) {
      case ALLOCATED -> state.base() == Base.ALLOCATED;
      case COMPLETING -> state.completing();
      case CLOUD -> state.cloud();
      case DOWN -> state.base() == Base.DOWN;
      case DRAIN -> state.drain();
      case DRAINED -> state.drain() && !state.isBusy();
      case DRAINING -> state.drain() && state.isBusy();
      case EXTERNAL -> state.external();
      case FAIL -> state.fail();
      case FUTURE -> state.base() == Base.FUTURE;
      case IDLE -> state.base() == Base.IDLE;
      case MAINTENANCE -> state.maintenance();
      case MIXED -> state.base() == Base.MIXED;
      case NOT_RESPONDING -> state.words().contains("NOT_RESPONDING");
      case PLANNED -> state.planned();
      case POWER_DOWN -> state.power() == Power.POWER_DOWN;
      case POWERED_DOWN -> state.power() == Power.POWERED_DOWN;
      case POWERING_DOWN -> state.power() == Power.POWERING_DOWN;
      case POWERING_UP -> state.power() == Power.POWERING_UP;
      case REBOOT_ISSUED -> state.power() == Power.REBOOTING;
      case REBOOT_REQUESTED -> state.power() == Power.REBOOT_ASKED;
      case RESERVED -> state.reserved();
      case UNKNOWN -> state.base() == Base.UNKNOWN;
      case BLOCKED, DYNAMIC_FUTURE, DYNAMIC, INVALID_REGISTRATION, POWER_UP -> false;
    };
  }
}

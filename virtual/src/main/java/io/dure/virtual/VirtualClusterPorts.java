package io.dure.virtual;

import io.dure.scheduler.Planner;

/**
 * What a virtual cluster is joined to.
 *
 * @param scheduler plans
 * @param failures how nodes fail
 * @param orders what is done to jobs from outside
 * @param observer is told what happens
 */
public record VirtualClusterPorts(
    VirtualScheduler scheduler,
    NodeFailures failures,
    SchedulingHooks orders,
    VirtualClusterObserver observer) {
  /** A scheduler of the cluster's own, and nothing from outside. */
  static VirtualClusterPorts of(VirtualClusterOptions options) {
    return new VirtualClusterPorts(
        new Planner(options.options())::plan,
        NodeFailures.NONE,
        SchedulingHooks.NONE,
        VirtualClusterObserver.NONE);
  }
}

package io.dure.node.noderun;

import java.time.Duration;

/**
 * What the configuration says about runs.
 *
 * @param prolog whether there is a prolog
 * @param epilog whether there is an epilog, or something of the job to remove
 * @param unkillableAfter how long a step may outlive SIGKILL before the node says it is unfit
 */
public record RunPolicy(boolean prolog, boolean epilog, Duration unkillableAfter) {
  /** The same without an epilog. */
  public RunPolicy withoutEpilog() {
    return new RunPolicy(prolog, false, unkillableAfter);
  }
}

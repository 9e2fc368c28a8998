package io.dure.model.config.power;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a partition says of switching its nodes off and on; null for what the cluster says.
 *
 * @param suspendTime how long a node is idle before; {@link PowerSettings#NEVER} for ever
 * @param suspendTimeout from then until it is off
 * @param resumeTimeout how long a node may take to call once it is switched on
 * @param downOnIdle whether a node is switched off as soon as no job is there
 */
public record PartitionPower(
    @Nullable Duration suspendTime,
    @Nullable Duration suspendTimeout,
    @Nullable Duration resumeTimeout,
    boolean downOnIdle) {
  /** Nothing of its own. */
  public static final PartitionPower NONE = new PartitionPower(null, null, null, false);
}

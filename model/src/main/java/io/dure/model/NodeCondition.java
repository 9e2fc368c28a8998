package io.dure.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What administrators and the controller hold against a node.
 *
 * @param down true if it may run nothing and what ran there was ended
 * @param drain true if it takes no new job
 * @param fail true if it is expected to fail soon (scontrol's FAIL)
 * @param reason why, null where nothing is wrong
 * @param reasonUid who said so
 * @param reasonTime when, null where nothing is wrong
 */
public record NodeCondition(
    boolean down,
    boolean drain,
    boolean fail,
    @Nullable String reason,
    int reasonUid,
    @Nullable Instant reasonTime) {
  /** Nothing is held against it. */
  public static final NodeCondition GOOD = new NodeCondition(false, false, false, null, 0, null);
}

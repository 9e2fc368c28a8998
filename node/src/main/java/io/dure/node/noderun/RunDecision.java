package io.dure.node.noderun;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision on a run.
 *
 * @param next its state from now on; null if the run is to be removed from the node's memory
 * @param actions what to do once that is stored, in order
 */
public record RunDecision(@Nullable RunState next, List<RunAction> actions) {}

package io.dure.twin;

import io.dure.model.accounting.AccountingTree;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.trace.TraceJob;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a replay goes on from a second on.
 *
 * @param at that second
 * @param machine the machine, with all nodes that there were
 * @param accounts the accounts that jobs are charged to, null where that does not matter
 * @param policy how it orders, overtakes and estimates
 * @param submitted jobs that come then
 * @param runTimes how long those run that have not ended
 */
public record ReplayContinuation(
    Instant at,
    ReplayMachine machine,
    @Nullable AccountingTree accounts,
    ReplayPolicy policy,
    List<TraceJob> submitted,
    ReplayRunTimes runTimes) {
  public ReplayContinuation {
    submitted = List.copyOf(submitted);
  }
}

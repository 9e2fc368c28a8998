package io.dure.twin.simulate;

import io.dure.twin.nodefailure.NodeFailureModel;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ./dure simulate} was asked for. Lists that are empty say that nothing was asked.
 *
 * @param trace the log
 * @param conf the machine as a slurm.conf, null to take the log's
 * @param accounts a dump or script of sacctmgr, null for the accounts that the log names
 * @param cleaning which jobs of the log are left out
 * @param windows parts of the log, each replayed alone
 * @param orders orders of the queue
 * @param backfills which jobs may overtake
 * @param estimates what is believed of run times
 * @param bounds starvation bounds, empty for none
 * @param machine the machine's size where neither log nor conf are to say it
 * @param failures how nodes fail, null if they do not
 * @param json whether a document is printed
 * @param html where a page is written, null for nowhere
 * @param forecastEvery of one job in so many it is forecast when it starts, null for of none
 */
record SimulateOptions(
    Path trace,
    @Nullable Path conf,
    @Nullable Path accounts,
    Cleaning cleaning,
    List<TraceWindow> windows,
    List<QueueOrderPolicy> orders,
    List<BackfillPolicy> backfills,
    List<EstimateSource> estimates,
    List<Optional<Duration>> bounds,
    Size machine,
    @Nullable NodeFailureModel failures,
    boolean json,
    @Nullable Path html,
    @Nullable Integer forecastEvery) {

  /**
   * A machine's size.
   *
   * @param nodes whole nodes, or nodes among which the processors are; null where not asked
   * @param processors processors in all, null where not asked
   */
  record Size(@Nullable Integer nodes, @Nullable Integer processors) {}
}

package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.ForecastView;
import io.dure.insight.holdings.HoldingsVisibility;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.placement.AllocationLedger;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import org.jspecify.annotations.Nullable;

/** Why jobs are pending, holders of resources, forecast accuracy, fragmentation of GPUs. */
public final class InsightService {
  private final ServiceContext context;
  private final ExplanationCache explanations;
  private final HoldingsCache holdings = new HoldingsCache();
  private volatile @Nullable Fragmentation fragmentation;

  /** The free GPUs of a state. */
  private record Fragmentation(ClusterState state, GpuFragmentationReport report) {}

  InsightService(ServiceContext context) {
    this.context = context;
    explanations = new ExplanationCache(context.callers(), context.clock(), ExplanationCache.TURN);
  }

  /** Why a job is pending, and what would let it start sooner. */
  public Response explain(Request.ExplainJob asked, Caller.User caller)
      throws InterruptedException {
    return explanations.answer(
        context.state(), context.verdicts(), asked.job(), caller, asked.facts());
  }

  /** Users and accounts that hold the cluster's resources. */
  public Response holders(Request.ShowHolders asked, Caller.User caller)
      throws InterruptedException {
    return holdings.answer(asked, context.state(), caller, context.now());
  }

  /** How close forecasts came to the actual starts. */
  public Response forecastAccuracy() {
    return ForecastView.accuracy(context.state(), context.now());
  }

  /** Fragmentation of GPUs, computed once for each state, for those who see states of nodes. */
  public Response fragments(Caller.User caller) {
    ClusterState state = context.state();
    if (!new HoldingsVisibility(state, caller).ofNodes()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    }
    Fragmentation known = fragmentation;
    if (known == null || known.state() != state) {
      known = new Fragmentation(state, AllocationLedger.gpus(state));
      fragmentation = known;
    }
    String cluster = state.settings().controller().clusterName();
    return new Response.Fragments(cluster, known.report(), context.now());
  }
}

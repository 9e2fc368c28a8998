package io.dure.controller.service;

import io.dure.controller.accounting.ClusterAccounting;
import io.dure.controller.accounting.CorrectionService;
import io.dure.controller.accounting.HistoryService;
import io.dure.controller.accounting.SharedAccountsView;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.script.SchedulerLog;
import io.dure.controller.statistics.ControllerStatistics;
import io.dure.controller.statistics.RequestCounts;
import io.dure.host.trust.CredentialSigner;
import io.dure.model.command.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The services of a controller that leads. Each takes typed requests and their caller and returns
 * typed responses; whichever transport calls them. Any thread.
 *
 * @param requests counts requests
 */
public record Services(
    ChangeService changes,
    JobService jobs,
    StepService steps,
    NodeService nodes,
    AccountService accounts,
    HistoryService history,
    CorrectionService corrections,
    InsightService insight,
    AdministrationService administration,
    RequestCounts requests) {

  /** What services are made from, beside their context. */
  public record Sources(
      NodeLinks nodes,
      StateWaiters waiters,
      CredentialSigner signer,
      JobChangeCounter changes,
      ControllerAdmin administration,
      ControllerStatistics statistics,
      SchedulerLog schedulerLog,
      @Nullable ClusterAccounting recorded,
      Logger log) {}

  private static CorrectionService corrections(ServiceContext context, Sources sources) {
    return new CorrectionService(
        context::state,
        told -> context.loop().submit(told, new Caller.Self()).get(),
        context.clock(),
        sources.recorded(),
        asked -> RequestBounds.refusal(asked, context.state().settings()),
        sources.log());
  }

  /** All services of one leadership. */
  public static Services of(ServiceContext context, Sources sources) {
    PriorityCache priorities = new PriorityCache();
    ClusterAccounting recorded = sources.recorded();
    SharedAccountsView shared =
        recorded == null || recorded.daemon() == null
            ? null
            : new SharedAccountsView(recorded.daemon(), sources.log());
    return new Services(
        new ChangeService(context, shared),
        new JobService(context, sources.waiters(), sources.changes(), priorities),
        new StepService(
            new StepService.Source(context::state, context.latestVerdicts(), context.clock()),
            sources.waiters(),
            sources.signer()::sign),
        new NodeService(context, sources.nodes()),
        new AccountService(
            context, priorities, shared, recorded == null ? List::of : recorded::privateData),
        new HistoryService(
            context::state,
            context.callers()::byNameOrNumber,
            context.clock(),
            sources.recorded(),
            sources.log()),
        corrections(context, sources),
        new InsightService(context),
        new AdministrationService(
            context,
            sources.administration(),
            sources.statistics(),
            sources.nodes(),
            sources.schedulerLog()),
        sources.statistics().requests());
  }
}

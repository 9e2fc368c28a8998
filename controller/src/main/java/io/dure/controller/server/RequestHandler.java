package io.dure.controller.server;

import io.dure.controller.accounting.AccountingDelivery;
import io.dure.controller.service.JobChangeFeed;
import io.dure.controller.service.RequestBounds;
import io.dure.controller.service.Services;
import io.dure.controller.statistics.EventTrace;
import io.dure.controller.statistics.RequestCounts;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.metrics.StoredEvents;

/** Dispatches requests of the RPC protocol to the services. Any thread. */
public final class RequestHandler {
  private final Services services;
  private final EventTrace trace;

  /** A handler over the services of one leadership. */
  public RequestHandler(Services services, EventTrace trace) {
    this.services = services;
    this.trace = trace;
  }

  /**
   * The response to a request; waits for the journal where something changes.
   *
   * @param feed the connection's listing of jobs
   */
  Response answer(Request request, Caller.User caller, JobChangeFeed feed)
      throws InterruptedException {
    try (RequestCounts.TimedCall _ = services.requests().begin(request, caller.identity().uid())) {
      trace.asked(request, caller);
      boolean checkedThere =
          request instanceof Request.Change
              || request instanceof Request.TestSubmit
              || request instanceof Request.TestHetSubmit;
      Reply.Refused unreadable = checkedThere ? null : RequestBounds.refusal(request);
      return unreadable == null
          ? dispatch(request, caller, feed)
          : new Response.Failed(unreadable.code(), unreadable.detail());
    }
  }

  /** The settings in force. */
  ClusterSettings settings() {
    return services.administration().settings();
  }

  /** What is stored. */
  StoredEvents stored() {
    AccountingDelivery.Progress delivered = services.history().delivered();
    long events = services.administration().events();
    return delivered == null
        ? new StoredEvents(events, null, false)
        : new StoredEvents(events, delivered.lacking(events), delivered.failing());
  }

  private Response allocate(Request.Allocate asked, Caller.User caller)
      throws InterruptedException {
    Response answer = services.changes().submitToStart(asked.submission(), caller);
    Response submitted = answer instanceof Response.Advised advised ? advised.answer() : answer;
    if (submitted instanceof Response.Decided(Reply.Submitted(int jobId))
        && services.steps().awaitStart(new Request.AwaitStart(jobId, asked.longestMillis()), caller)
            instanceof Response.StartedJob started) {
      return answer instanceof Response.Advised(_, var messages)
          ? new Response.Advised(started, messages)
          : started;
    }
    return answer;
  }

  private Response dispatch(Request request, Caller.User caller, JobChangeFeed feed)
      throws InterruptedException {
    return switch (request) {
      case Request.Change change -> services.changes().submit(change, caller);
      case Request.Allocate allocate -> allocate(allocate, caller);
      case Request.TestSubmit test -> services.jobs().test(test, caller);
      case Request.TestHetSubmit test -> services.jobs().test(test, caller);
      case Request.ListJobs list -> services.jobs().list(list, caller, feed);
      case Request.MoreJobs more -> services.jobs().more(more, feed);
      case Request.ChangedJobs changed -> services.jobs().changed(changed, caller, feed);
      case Request.AwaitJobs await -> services.jobs().awaitChange(await);
      case Request.Visibility _ -> services.jobs().visibility(caller);
      case Request.BatchScript(int jobId) -> services.jobs().script(jobId, caller);
      case Request.WaitJob(int jobId) -> services.jobs().awaitEnd(jobId, caller);
      case Request.AwaitStart asked -> services.steps().awaitStart(asked, caller);
      case Request.AwaitStepRoom asked -> services.steps().awaitRoom(asked, caller);
      case Request.ShowWaitingSteps(var jobIds) -> services.steps().waiting(jobIds, caller);
      case Request.LaunchStep asked -> services.steps().launch(asked, caller);
      case Request.GrantFiles asked -> services.steps().grantFiles(asked, caller);
      case Request.LocateNodes(var names) -> services.steps().locate(names);
      case Request.ShowCluster asked -> services.nodes().cluster(asked, caller);
      case Request.ShowReservations _ -> services.nodes().reservations(caller);
      case Request.ShowCrontab(var user) -> services.jobs().crontab(user, caller);
      case Request.ShowTriggers(var criteria) -> services.nodes().triggers(criteria, caller);
      case Request.ShowTopology _ -> services.nodes().topology();
      case Request.ShowAccounts _ -> services.accounts().accounts(caller);
      case Request.ChangeClusters(var changes) -> services.accounts().change(changes, caller);
      case Request.AddCluster(var name) -> services.accounts().add(name, caller);
      case Request.RemoveClusters(var names) -> services.accounts().remove(names, caller);
      case Request.ShowShares _ -> services.accounts().shares(caller);
      case Request.ShowPriorities _ -> services.accounts().priorities(caller);
      case Request.ListJobHistory(var query, var of) -> services.history().jobs(query, of, caller);
      case Request.ShowUsage(var query, var of) -> services.history().usage(query, of, caller);
      case Request.ShowClusterHistory asked -> services.history().cluster(asked, caller);
      case Request.ShowBooksConfig _ -> services.history().configuration();
      case Request.ShowRunawayJobs(var cluster) -> services.history().runaways(cluster, caller);
      case Request.EndRunawayJobs asked -> services.history().endRunaways(asked, caller);
      case Request.CorrectJobs asked -> services.corrections().correct(asked, caller);
      case Request.PingBooks _ -> services.history().ping();
      case Request.ArchiveRecords(var order) -> services.history().archive(order, caller);
      case Request.LoadRecords(String file) -> services.history().load(file, caller);
      case Request.ShowFragments _ -> services.insight().fragments(caller);
      case Request.ShowHolders asked -> services.insight().holders(asked, caller);
      case Request.ShowForecastAccuracy _ -> services.insight().forecastAccuracy();
      case Request.ExplainJob asked -> services.insight().explain(asked, caller);
      case Request.Greeting _, Request.Ping _ -> services.administration().ping(caller);
      case Request.ShowConfig _ -> services.administration().configuration();
      case Request.FetchConfig _ -> services.administration().configFiles(caller);
      case Request.ShowStatistics _ -> services.administration().statistics(caller);
      case Request.ResetStatistics _ -> services.administration().resetStatistics(caller);
      case Request.SetLogLevel(var word) -> services.administration().setLogLevel(word, caller);
      case Request.SetDebugFlags(var all) -> services.administration().setDebugFlags(all, caller);
      case Request.SetSchedulerLog(var on) -> services.administration().logStarts(on, caller);
      case Request.Reconfigure _ -> services.administration().reconfigure(caller);
      case Request.MakeToken asked -> services.administration().token(asked, caller);
      case Request.ShowReplicas _ -> services.administration().replicas();
      case Request.TakeOver(int index) -> services.administration().takeOver(index, caller);
      case Request.Shutdown(var alone, _) -> services.administration().shutdown(alone, caller);
    };
  }
}

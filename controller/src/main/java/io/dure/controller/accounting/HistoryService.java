package io.dure.controller.accounting;

import io.dure.accounting.JobHistory;
import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.controller.view.SeenBooks;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.command.Caller;
import io.dure.model.privacy.CallerSight;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What the accounting database has of the cluster's jobs. */
public final class HistoryService {
  private final Supplier<ClusterState> states;
  private final Function<String, Caller.@Nullable User> users;
  private final InstantSource clock;
  private final @Nullable ClusterAccounting accounting;
  private final Logger log;

  /**
   * The service of a leadership.
   *
   * @param states supplies the newest durable state
   * @param users finds a user by name or number
   * @param accounting null where the cluster has no accounting database
   */
  public HistoryService(
      Supplier<ClusterState> states,
      Function<String, Caller.@Nullable User> users,
      InstantSource clock,
      @Nullable ClusterAccounting accounting,
      Logger log) {
    this.states = states;
    this.users = users;
    this.clock = clock;
    this.accounting = accounting;
    this.log = log;
  }

  /** How far the database has the cluster's records, null where there is none. */
  public AccountingDelivery.@Nullable Progress delivered() {
    return accounting == null ? null : accounting.delivered();
  }

  /**
   * Attempts of jobs, without those that the caller may not see.
   *
   * @param cluster of which cluster, null for the controller's own
   */
  public Response jobs(JobHistoryQuery query, @Nullable String cluster, Caller.User caller) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    ClusterState state = states.get();
    try {
      JobHistory.Page page =
          accounting.find(
              query.withUsers(numbered(query.users())), cluster, state, clock.instant());
      JobHistory.Page seen =
          SeenBooks.jobs(
              page, query, sight(state, caller), caller, cluster == null ? state.accounts() : null);
      return new Response.JobHistory(
          cluster == null ? state.settings().controller().clusterName() : cluster,
          seen.jobs(),
          seen.last(),
          state.settings().resources().trackedTres(),
          seen.texts());
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  private Response unanswered(IOException e) {
    log.error("the accounting database did not answer a question: {}", e.getMessage());
    return new Response.Failed(
        ErrorCode.CANNOT_STORE,
        "the accounting database does not answer, see the log of slurmctld");
  }

  /**
   * What was used, without what the caller may not see of others.
   *
   * @param cluster on which cluster, null for the controller's own
   */
  public Response usage(UsageQuery query, @Nullable String cluster, Caller.User caller) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    ClusterState state = states.get();
    JobHistoryQuery jobs = query.jobs().withUsers(numbered(query.jobs().users()));
    CallerSight sight = sight(state, caller);
    if (SeenBooks.hides(query, sight)) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      UsageReport report =
          accounting.usage(
              new UsageQuery(query.from(), query.until(), query.part(), query.tres(), jobs),
              cluster,
              state,
              clock.instant());
      return new Response.Usage(SeenBooks.usage(report, query, sight, caller));
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  /** Lines of a cluster's history; what is private is for operators alone. */
  public Response cluster(Request.ShowClusterHistory asked, Caller.User caller) {
    ClusterHistoryQuery query = asked.query();
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    ClusterState state = states.get();
    CallerSight sight = sight(state, caller);
    if (SeenBooks.hides(query, sight)) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      return new Response.RecordedHistory(
          SeenBooks.history(accounting.history(query, asked.cluster(), state), sight, caller));
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  /**
   * Jobs that are not over in the database and that the cluster does not have.
   *
   * @param cluster which cluster, null for the controller's own
   */
  public Response runaways(@Nullable String cluster, Caller.User caller) {
    Response.Failed no = unmanaged(caller);
    try {
      return no == null ? runaways().of(cluster, caller) : no;
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  /** Ends those of these attempts that the cluster does not have. */
  public Response endRunaways(Request.EndRunawayJobs asked, Caller.User caller) {
    Response.Failed no = unmanaged(caller);
    try {
      return no == null ? runaways().end(asked.attempts(), asked.cluster(), caller) : no;
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  private RunawayJobs runaways() {
    return new RunawayJobs(states, clock, Objects.requireNonNull(accounting));
  }

  /** Why the caller may not put records right, null if it may: operators may. */
  private Response.@Nullable Failed unmanaged(Caller.User caller) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    return sight(states.get(), caller).operator()
        ? null
        : new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
  }

  /** Whether the daemons answer that keep the books. */
  public Response ping() {
    SlurmdbdClient daemon = accounting == null ? null : accounting.daemon();
    return new Response.BookKeepers(daemon == null ? List.of() : daemon.ping());
  }

  /** How the records are kept; no lines where there are none. */
  public Response configuration() {
    try {
      return accounting == null
          ? new Response.Text(List.of())
          : accounting.keeping().configuration();
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  /** Takes old records out of the database. */
  public Response archive(ArchiveOrder order, Caller.User caller) {
    return move(caller, (keeping, by) -> keeping.archive(order, by));
  }

  /** Puts an archive back. */
  public Response load(String file, Caller.User caller) {
    return move(caller, (keeping, by) -> keeping.load(file, by));
  }

  /** What is done with old records. */
  private interface ArchiveWork {
    Response of(BookKeeping keeping, BookKeeping.Asker by) throws IOException;
  }

  /** Does what administrators of this cluster may; what keeps the records asks for others. */
  private Response move(Caller.User caller, ArchiveWork work) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    boolean administrator =
        AccountingRights.mayChange(
            states.get().accounts(),
            caller.identity().userName(),
            caller.operator(),
            List.of(new AccountingChange.QosRemoved("")));
    if (!administrator) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      return work.of(
          accounting.keeping(),
          new BookKeeping.Asker(caller.identity().userName(), caller.operator()));
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  private CallerSight sight(ClusterState state, Caller.User caller) {
    return sight(state, accounting, caller);
  }

  /** What a caller sees of the books: slurmdbd.conf may hide more than slurm.conf. */
  static CallerSight sight(
      ClusterState state, @Nullable ClusterAccounting accounting, Caller.User caller) {
    List<String> hidden = new ArrayList<>(state.settings().controller().privateData());
    if (accounting != null) {
      hidden.addAll(accounting.privateData());
    }
    return new CallerSight(state.accounts(), hidden, caller);
  }

  /** Names by their numbers, which the database finds faster; those of no user as they are. */
  private List<String> numbered(List<String> names) {
    return names.stream()
        .map(name -> {
          Caller.User known = users.apply(name);
          return known == null ? name : Integer.toUnsignedString(known.identity().uid());
        })
        .toList();
  }
}

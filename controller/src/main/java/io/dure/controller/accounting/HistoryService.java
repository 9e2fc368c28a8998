package io.dure.controller.accounting;

import io.dure.accounting.JobHistory;
import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.Wckey;
import io.dure.model.command.Caller;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextId;
import io.dure.model.privacy.CallerSight;
import io.dure.model.request.JobSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedText;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
      CallerSight sight = sight(state, caller);
      List<RecordedJob> seen =
          page.jobs().stream()
              .filter(job ->
                  sight.ofJob(job.job().owner(), job.job().spec().account())
                      && (query.text() == null || sight.operator() || owns(caller, job)))
              .map(job -> cluster == null ? numbered(state.accounts(), job) : job)
              .toList();
      return new Response.JobHistory(
          cluster == null ? state.settings().controller().clusterName() : cluster,
          seen,
          page.last(),
          state.settings().resources().trackedTres(),
          texts(query, page, seen));
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
    if (query.part() == UsageQuery.Part.RESERVATIONS && sight.hides("reservations")) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      UsageReport report =
          accounting.usage(
              new UsageQuery(query.from(), query.until(), query.part(), query.tres(), jobs),
              cluster,
              state,
              clock.instant());
      boolean sizes = query.part() == UsageQuery.Part.JOB_SIZES;
      boolean ownOnly =
          sight.hides("usage") || sight.hides("users") || sizes && sight.hides("jobs");
      return new Response.Usage(seenBy(sight, caller, ownOnly, report));
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  /** Lines of the cluster's history; what is private is for operators alone. */
  public Response cluster(ClusterHistoryQuery query, Caller.User caller) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    ClusterState state = states.get();
    CallerSight sight = sight(state, caller);
    boolean isPrivate =
        switch (query.part()) {
          case EVENTS -> sight.hides("events");
          case RESERVATIONS -> sight.hides("reservations");
          case TRANSACTIONS -> sight.hides("accounts") || sight.hides("users");
        };
    if (isPrivate) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      return new Response.RecordedHistory(accounting.history(query, state));
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
    return move(
        caller,
        order.directory() != null || order.script() != null,
        keeping -> keeping.archive(order));
  }

  /** Puts an archive back. */
  public Response load(String file, Caller.User caller) {
    return move(caller, false, keeping -> keeping.load(file));
  }

  /** What is done with old records. */
  private interface ArchiveWork {
    Response of(BookKeeping keeping) throws IOException;
  }

  /**
   * Does what administrators may.
   *
   * @param foreign whether it names a program or a directory, which root and SlurmUser alone may
   */
  private Response move(Caller.User caller, boolean foreign, ArchiveWork work) {
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    boolean administrator =
        AccountingRights.mayChange(
            states.get().accounts(),
            caller.identity().userName(),
            caller.operator(),
            List.of(new AccountingChange.QosRemoved("")));
    if (!administrator || foreign && !caller.operator()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    }
    try {
      return work.of(accounting.keeping());
    } catch (IOException e) {
      return unanswered(e);
    }
  }

  private CallerSight sight(ClusterState state, Caller.User caller) {
    List<String> hidden = new ArrayList<>(state.settings().controller().privateData());
    if (accounting != null) {
      hidden.addAll(accounting.privateData());
    }
    return new CallerSight(state.accounts(), hidden, caller);
  }

  /** Whole where nothing is hidden. */
  private static UsageReport seenBy(
      CallerSight sight, Caller.User caller, boolean ownOnly, UsageReport report) {
    String name = caller.identity().userName();
    return new UsageReport(
        report.clusterName(),
        report.owners().stream()
            .filter(row ->
                ownOnly
                    ? row.user().equals(name) || sight.coordinates(row.account())
                    : sight.ofAccount(row.account()))
            .toList(),
        report.cluster(),
        report.sizes().stream()
            .filter(row ->
                ownOnly
                    ? row.user().equals(name) || sight.coordinates(row.account())
                    : sight.ofAccount(row.account()))
            .toList(),
        report.trackedTres(),
        report.reservations());
  }

  /** With the numbers that its account and QOS have now. */
  private static RecordedJob numbered(AccountingTree tree, RecordedJob job) {
    JobSpec spec = job.job().spec();
    JobState ran = job.job().state();
    Allocation held = ran instanceof JobState.Ended over ? over.allocation() : ran.allocated();
    Association charged =
        spec.account() == null
            ? null
            : tree.charged(
                spec.account(),
                job.job().owner().userName(),
                held == null ? null : held.partition());
    Qos qos = spec.qos() == null ? null : tree.qos(spec.qos());
    AccountUser owner = tree.user(job.job().owner().userName());
    String key = spec.wckey();
    Wckey named =
        owner == null || key == null
            ? null
            : owner.wckey(key.startsWith("*") ? key.substring(1) : key);
    return job.charged(
        charged == null ? null : charged.id(),
        qos == null ? null : qos.id(),
        named == null ? null : named.id());
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

  /** The texts of jobs that the caller sees, and of no others. */
  private static List<RecordedText> texts(
      JobHistoryQuery query, JobHistory.Page page, List<RecordedJob> seen) {
    RecordedText.Kind kind = query.text();
    if (kind == null) {
      return List.of();
    }
    Set<TextId> ids =
        seen.stream().map(job -> kind.of(job.job().workload())).collect(Collectors.toSet());
    return page.texts().stream().filter(text -> ids.contains(text.id())).toList();
  }

  private static boolean owns(Caller.User caller, RecordedJob job) {
    return job.job().owner().uid() == caller.identity().uid();
  }
}

package io.dure.cluster;

import io.dure.cluster.derived.CoreSet;
import io.dure.cluster.derived.ForecastTracker;
import io.dure.cluster.derived.TimeSliceQueue;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.cron.CrontabBook;
import io.dure.model.history.RunHistory;
import io.dure.model.hook.HookBook;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.Workload;
import io.dure.model.reservation.ReservationTable;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state as it is stored: what cannot be derived from the rest.
 *
 * @param config the configuration in force
 * @param partitions partitions as they are now
 * @param nodes nodes in order
 * @param jobs all jobs
 * @param nextJobId where the search for the id of the next job begins
 * @param firstRun runs before the first of a new job
 * @param texts scripts and environments of the jobs, each once; read when they are taken
 * @param requests the submissions of the jobs
 * @param answers what was answered to the last changes, the oldest first
 * @param accounts accounts, users, associations and QOS; null where none was recorded
 * @param usage what jobs have used; null where nothing was counted
 * @param reservations reservations; null where there never was one
 * @param turns since when each turn on shared cores lasts; null where no job waits for
 * @param runs how long jobs ran; null where none did
 * @param forecasts what was told of the starts of jobs; null where nothing was
 * @param eventCount how many events have led to it, since the cluster's first
 * @param created when the cluster was first configured, null before that
 * @param hooks what is kept of those that are told of jobs; null where nothing is
 * @param crontabs the crontabs of users; null where there are none
 */
@RecordBuilder
public record StateSnapshot(
    ClusterConfig config,
    List<PartitionConfig> partitions,
    List<StateSnapshot.Node> nodes,
    List<Job> jobs,
    int nextJobId,
    int firstRun,
    List<JobTextStore.Text> texts,
    List<SubmissionIndex.Submission> requests,
    List<RecentReplies.Entry> answers,
    @Nullable AccountingRecords accounts,
    @Nullable UsageLedger usage,
    @Nullable ReservationTable reservations,
    @Nullable List<TimeSliceQueue.Turn> turns,
    @Nullable RunHistory runs,
    @Nullable ForecastTracker forecasts,
    long eventCount,
    @Nullable Instant created,
    @Nullable HookBook hooks,
    @Nullable CrontabBook crontabs)
    implements StateSnapshotBuilder.With {

  private static final Workload.BatchSpec NOTHING = Workload.BatchSpec.nothing("/");

  /** A node without what jobs hold on it, which their allocations tell. */
  public record Node(
      NodeConfig config,
      NodeCondition condition,
      @Nullable NodeFacts facts,
      @Nullable Instant silentSince,
      @Nullable Instant lastBusy,
      boolean dynamic) {}

  /**
   * A part of what grows with nodes and jobs, of a state that is stored in items.
   *
   * @param nodes further nodes, in order
   * @param jobs further jobs
   * @param texts further texts
   * @param requests further submissions
   * @param answers further answers, the oldest first
   */
  public record Piece(
      List<StateSnapshot.Node> nodes,
      List<Job> jobs,
      List<JobTextStore.Text> texts,
      List<SubmissionIndex.Submission> requests,
      List<RecentReplies.Entry> answers) {
    public static final Piece NONE =
        new Piece(List.of(), List.of(), List.of(), List.of(), List.of());

    public static Piece ofNodes(List<Node> nodes) {
      return new Piece(nodes, List.of(), List.of(), List.of(), List.of());
    }

    public static Piece ofJobs(List<Job> jobs) {
      return new Piece(List.of(), jobs, List.of(), List.of(), List.of());
    }

    public static Piece ofTexts(List<JobTextStore.Text> texts) {
      return new Piece(List.of(), List.of(), texts, List.of(), List.of());
    }

    public static Piece ofRequests(List<SubmissionIndex.Submission> requests) {
      return new Piece(List.of(), List.of(), List.of(), requests, List.of());
    }

    public static Piece ofAnswers(List<RecentReplies.Entry> answers) {
      return new Piece(List.of(), List.of(), List.of(), List.of(), answers);
    }
  }

  /** The same with what a piece holds in place of what such a piece may hold. */
  public StateSnapshot withPiece(Piece piece) {
    return with()
        .nodes(piece.nodes())
        .jobs(piece.jobs())
        .texts(piece.texts())
        .requests(piece.requests())
        .answers(piece.answers())
        .build();
  }

  private static List<Node> nodes(ClusterState state) {
    List<Node> nodes = new ArrayList<>();
    for (NodeRecord node : state.nodes().values()) {
      nodes.add(
          new Node(
              node.config(),
              node.condition(),
              node.facts(),
              node.silentSince(),
              node.lastBusy(),
              node.dynamic()));
    }
    return nodes;
  }

  /** The state to store. */
  public static StateSnapshot of(ClusterState state) {
    return new StateSnapshot(
        state.config(),
        state.partitions(),
        nodes(state),
        state.jobs(),
        state.jobIdsGiven(),
        state.firstRun(),
        state.texts().all(),
        state.requests().all(),
        state.answers().all(),
        state.accounts().isUntouched() ? null : state.accounts().records(),
        state.usage().equals(UsageLedger.EMPTY) ? null : state.usage(),
        state.reservationBook().equals(ReservationTable.EMPTY) ? null : state.reservationBook(),
        state.slices().turns().isEmpty() ? null : state.slices().turns(),
        state.runs().equals(RunHistory.EMPTY) ? null : state.runs(),
        state.forecasts().equals(ForecastTracker.EMPTY) ? null : state.forecasts(),
        state.origin().events(),
        state.origin().created(),
        state.hooks().equals(HookBook.EMPTY) ? null : state.hooks(),
        state.crontabs().all().isEmpty() ? null : state.crontabs());
  }

  /**
   * What planning asks of a state: without jobs that are over, without what only their programs
   * need and what was answered to whom.
   *
   * @param most of a longer queue those that came first
   */
  public static StateSnapshot ofQueue(ClusterState state, int most) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : state.active().values()) {
      jobs.add(job.withWorkload(NOTHING));
    }
    List<Integer> waiting = state.pending().keys();
    for (int id : waiting.subList(0, Math.min(most, waiting.size()))) {
      jobs.add(state.pending().require(id).withWorkload(NOTHING));
    }
    return new StateSnapshot(
        state.config(),
        state.partitions(),
        nodes(state),
        jobs,
        state.jobIdsGiven(),
        state.firstRun(),
        List.of(),
        List.of(),
        List.of(),
        state.accounts().isUntouched() ? null : state.accounts().records(),
        state.usage(),
        state.reservationBook(),
        null,
        state.runs(),
        new ForecastTracker(IntMap.empty(), state.forecasts().book()),
        state.origin().events(),
        state.origin().created(),
        null,
        null);
  }

  /** The state that was stored, with its texts in memory. */
  public ClusterState restore() {
    return restore(JobTextStore.NONE);
  }

  /**
   * The state that was stored.
   *
   * @param more texts beside those of this snapshot; further ones are kept where these are
   */
  public ClusterState restore(JobTextStore more) {
    return ClusterState.initial(config)
        .edit(parts -> {
          parts.origin = new StateOrigin(eventCount, created);
          parts.texts = more;
          parts.partitions = partitions;
          for (Node node : nodes) {
            parts.put(record(node));
          }
          EventApplier.placed(parts);
          for (JobTextStore.Text text : texts) {
            parts.texts = parts.texts.with(text.id(), text.content());
          }
          for (Job job : jobs) {
            parts.put(job);
            hold(parts, job);
          }
          for (SubmissionIndex.Submission request : requests) {
            parts.requests = parts.requests.with(request);
          }
          parts.answers = RecentReplies.of(answers);
          if (accounts != null) {
            parts.accounts = AccountingTree.of(accounts);
          }
          if (usage != null) {
            parts.usage = usage;
          }
          if (reservations != null) {
            parts.reservations = reservations;
          }
          for (TimeSliceQueue.Turn turn : turns == null ? List.<TimeSliceQueue.Turn>of() : turns) {
            parts.tally = parts.tally.turned(turn);
          }
          if (runs != null) {
            // What waits was counted with the jobs.
            parts.tally = parts.tally.withRuns(runs.withWaitingOf(parts.tally.runs()));
          }
          if (forecasts != null) {
            parts.tally = parts.tally.withForecasts(forecasts);
          }
          if (hooks != null) {
            parts.hooks = hooks;
          }
          if (crontabs != null) {
            parts.crontabs = crontabs;
          }
          parts.nextJobId = nextJobId;
          parts.firstRun = firstRun;
        });
  }

  private static NodeRecord record(Node node) {
    return new NodeRecord(
        node.config(),
        node.condition(),
        node.facts(),
        node.silentSince(),
        node.lastBusy(),
        IntMap.empty(),
        0,
        0,
        CoreSet.EMPTY,
        node.dynamic());
  }

  private static void hold(ClusterState.StateBuilder parts, Job job) {
    switch (job.state()) {
      case JobState.Running running ->
          hold(parts, job.id(), running.allocation().shares(), running.allocation().nodes());
      case JobState.Suspended suspended ->
          hold(parts, job.id(), suspended.retainedShares(), suspended.run().allocation().nodes());
      case JobState.Completing completing ->
          hold(parts, job.id(), completing.allocation().shares(), completing.nodesLeft());
      case JobState.Pending _, JobState.Ended _ -> {}
    }
  }

  private static void hold(
      ClusterState.StateBuilder parts, int jobId, List<NodeShare> shares, List<String> nodes) {
    for (NodeShare share : shares) {
      NodeRecord node = parts.node(share.node());
      if (node != null && nodes.contains(share.node())) {
        parts.put(node.holding(jobId, share));
      }
    }
  }
}

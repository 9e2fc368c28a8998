package io.dure.cluster;

import io.dure.cluster.derived.AccrualWaitlist;
import io.dure.cluster.derived.DerivedJobState;
import io.dure.cluster.derived.ForecastTracker;
import io.dure.cluster.derived.FreeJobIds;
import io.dure.cluster.derived.TimeSliceQueue;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.collection.NamedSeries;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.NodePlaces;
import io.dure.model.config.topology.Topology;
import io.dure.model.cron.CrontabBook;
import io.dure.model.history.RunHistory;
import io.dure.model.hook.HookBook;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationTable;
import io.dure.placement.admission.AdmissionView;
import io.dure.rules.dependency.JobLookup;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that the controller knows. Immutable: each change gives a new state that shares most of the
 * old one, so any thread may read any version.
 */
public final class ClusterState implements AdmissionView {
  private static final int RUNS_PER_ROUND = 1 << 16;

  private final ClusterConfig config;
  private final NodePlaces.Networks networks;
  private final List<PartitionConfig> partitions;
  private final NamedSeries<NodeRecord> nodes;
  private final IntMap<Job> pending;
  private final IntMap<Job> unsettled;
  private final IntMap<Job> active;
  private final IntMap<Job> ended;
  private final IntMap<IntMap<Integer>> arrayTasks;
  private final int nextJobId;
  private final int firstRun;
  private final JobTextStore texts;
  private final SubmissionIndex requests;
  private final RecentReplies answers;
  private final AccountingTree accounts;
  private final UsageLedger usage;
  private final DerivedJobState tally;
  private final ReservationTable reservations;
  private final HookBook hooks;
  private final CrontabBook crontabs;
  private final StateOrigin origin;

  private ClusterState(StateBuilder parts) {
    config = parts.config;
    networks = parts.networks;
    partitions = parts.partitions;
    nodes = parts.nodes;
    pending = parts.pending;
    unsettled = parts.unsettled;
    active = parts.active;
    ended = parts.ended;
    arrayTasks = parts.arrayTasks;
    nextJobId = parts.nextJobId;
    firstRun = parts.firstRun;
    texts = parts.texts;
    requests = parts.requests;
    answers = parts.answers;
    accounts = parts.accounts;
    usage = parts.usage;
    tally = parts.tally;
    reservations = parts.reservations;
    hooks = parts.hooks;
    crontabs = parts.crontabs;
    origin = parts.origin;
  }

  /** A cluster that has no nodes, partitions or jobs yet; its texts are in memory. */
  public static ClusterState initial(ClusterConfig config) {
    return new ClusterState(new StateBuilder(config));
  }

  /** The same with its texts kept there. */
  public static ClusterState initial(ClusterConfig config, TextStorage texts) {
    return initial(config).edit(parts -> parts.texts = JobTextStore.in(texts));
  }

  /** The configuration in force. */
  public ClusterConfig config() {
    return config;
  }

  @Override
  public ClusterSettings settings() {
    return config.settings();
  }

  @Override
  public List<PartitionConfig> partitions() {
    return partitions;
  }

  @Override
  public @Nullable Topology topology() {
    return networks.topology();
  }

  @Override
  public List<NamedTopology> topologies() {
    return networks.named();
  }

  /** Nodes by position; positions rise in the order of the configuration and are never reused. */
  @Override
  public IntMap<NodeRecord> nodes() {
    return nodes.byPlace();
  }

  @Override
  public int nodePosition(String name) {
    return nodes.place(name);
  }

  /** The node of that name, null if there is none. */
  public @Nullable NodeRecord node(String name) {
    return nodes.get(name);
  }

  @Override
  public LicenseUse licenseUse() {
    return tally.licenseUse();
  }

  @Override
  public IntMap<Job> pending() {
    return pending;
  }

  /** Those of the queue that time alone, or what becomes of other jobs, may change, by id. */
  public IntMap<Job> timeDependentJobs() {
    return unsettled;
  }

  @Override
  public IntMap<Job> active() {
    return active;
  }

  @Override
  public IntMap<Job> ended() {
    return ended;
  }

  /** The same in two states of one controller if jobs differ in their numbered steps alone. */
  public long jobChanges() {
    return tally.changes();
  }

  @Override
  public @Nullable Job job(int id) {
    Job job = pending.get(id);
    if (job == null) {
      job = active.get(id);
    }
    return job == null ? ended.get(id) : job;
  }

  @Override
  public int jobCount() {
    return pending.size() + active.size() + ended.size();
  }

  /** All jobs, ids rising within pending, active and ended. */
  public List<Job> jobs() {
    return Stream.of(pending, active, ended).flatMap(jobs -> jobs.values().stream()).toList();
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    IntMap<Integer> tasks = arrayTasks.get(arrayJobId);
    return tasks == null ? IntMap.empty() : tasks;
  }

  /**
   * The first of the ids that the next so many jobs get, one behind the other: ids that no record
   * has. After MaxJobId it goes on at FirstJobId; only if all between are taken it is above
   * MaxJobId, which a submission is refused for.
   */
  @Override
  public int nextJobIds(int count) {
    return FreeJobIds.next(nextJobId, settings().jobs(), count, this::isTaken);
  }

  private boolean isTaken(int id) {
    return job(id) != null || arrayTasks.get(id) != null;
  }

  @Override
  public int nextJobRound() {
    return firstRun / RUNS_PER_ROUND + (nextJobId() < nextJobId ? 1 : 0);
  }

  @Override
  public int round(Job job) {
    return job.run() / RUNS_PER_ROUND;
  }

  /** Where the search for the next free id begins. */
  int jobIdsGiven() {
    return nextJobId;
  }

  /** Runs before the first of a new job: more with each round of the ids. */
  int firstRun() {
    return firstRun;
  }

  /** The submissions of all jobs. */
  public SubmissionIndex requests() {
    return requests;
  }

  /** What was answered to the last changes. */
  public RecentReplies answers() {
    return answers;
  }

  /** Accounts, users, associations and QOS. */
  @Override
  public AccountingTree accounts() {
    return accounts;
  }

  /** What jobs have used. */
  @Override
  public UsageLedger usage() {
    return usage;
  }

  @Override
  public OwnerJobCounts queued() {
    return tally.queued();
  }

  /** Jobs that wait for their turn on shared cores. */
  public TimeSliceQueue slices() {
    return tally.slices();
  }

  /** Whose age does not count yet. */
  public AccrualWaitlist ageing() {
    return tally.ageing();
  }

  @Override
  public RunHistory runs() {
    return tally.runs();
  }

  /** What was told of the starts of jobs, and how well it held. */
  public ForecastTracker forecasts() {
    return tally.forecasts();
  }

  /** Reservations, and the number of the next. */
  public ReservationTable reservationBook() {
    return reservations;
  }

  @Override
  public List<Reservation> reservations() {
    return reservations.all();
  }

  /** What is kept of those that are told of jobs and nodes. */
  public HookBook hooks() {
    return hooks;
  }

  /** The crontabs of all users. */
  public CrontabBook crontabs() {
    return crontabs;
  }

  /** How many events have led to it, and when the first of them happened. */
  public StateOrigin origin() {
    return origin;
  }

  /** Scripts and environments of all jobs. */
  public JobTextStore texts() {
    return texts;
  }

  /** This state with the changes that the editor makes. */
  ClusterState edit(Consumer<StateBuilder> editor) {
    StateBuilder parts = new StateBuilder(this);
    editor.accept(parts);
    return new ClusterState(parts);
  }

  /** The state being put together; lives only inside one change. */
  static final class StateBuilder implements JobLookup {
    ClusterConfig config;
    NodePlaces.Networks networks;
    List<PartitionConfig> partitions;
    private NamedSeries<NodeRecord> nodes;
    private IntMap<Job> pending;
    private IntMap<Job> unsettled;
    IntMap<Job> active;
    private IntMap<Job> ended;
    private IntMap<IntMap<Integer>> arrayTasks;
    int nextJobId;
    JobTextStore texts;
    SubmissionIndex requests;
    RecentReplies answers;
    AccountingTree accounts;
    UsageLedger usage;
    DerivedJobState tally;
    ReservationTable reservations;
    HookBook hooks;
    CrontabBook crontabs;
    StateOrigin origin;

    /** Runs before the first of a new job: more with each round of the ids. */
    int firstRun;

    private StateBuilder(ClusterConfig config) {
      this.config = config;
      networks = new NodePlaces.Networks(config.topology(), config.topologies());
      partitions = List.of();
      nodes = NamedSeries.empty();
      pending = IntMap.empty();
      unsettled = IntMap.empty();
      active = IntMap.empty();
      ended = IntMap.empty();
      arrayTasks = IntMap.empty();
      nextJobId = (int) config.settings().jobs().firstJobId();
      texts = JobTextStore.NONE;
      requests = SubmissionIndex.NONE;
      answers = RecentReplies.NONE;
      accounts = AccountingTree.initial();
      usage = UsageLedger.EMPTY;
      tally = DerivedJobState.NONE;
      reservations = ReservationTable.EMPTY;
      hooks = HookBook.EMPTY;
      crontabs = CrontabBook.EMPTY;
      origin = StateOrigin.NOTHING;
    }

    private StateBuilder(ClusterState state) {
      config = state.config;
      networks = state.networks;
      partitions = state.partitions;
      nodes = state.nodes;
      pending = state.pending;
      unsettled = state.unsettled;
      active = state.active;
      ended = state.ended;
      arrayTasks = state.arrayTasks;
      nextJobId = state.nextJobId;
      firstRun = state.firstRun;
      texts = state.texts;
      requests = state.requests;
      answers = state.answers;
      accounts = state.accounts;
      usage = state.usage;
      tally = state.tally;
      reservations = state.reservations;
      hooks = state.hooks;
      crontabs = state.crontabs;
      origin = state.origin;
    }

    @Override
    public @Nullable Job job(int id) {
      Job job = pending.get(id);
      if (job == null) {
        job = active.get(id);
      }
      return job == null ? ended.get(id) : job;
    }

    /**
     * Notes that a new record has that id. Where ids begin again, runs do not: what a node that was
     * away still tells of a former job of that id is then of another run.
     */
    void give(int id) {
      if (id < nextJobId) {
        firstRun += RUNS_PER_ROUND;
      }
      nextJobId = id + 1;
    }

    /** True if a job or an array has that id. */
    boolean isTaken(int id) {
      return job(id) != null || arrayTasks.get(id) != null;
    }

    @Override
    public IntMap<Integer> arrayTasks(int arrayJobId) {
      IntMap<Integer> tasks = arrayTasks.get(arrayJobId);
      return tasks == null ? IntMap.empty() : tasks;
    }

    void put(Job next) {
      int id = next.id();
      Job job = next;
      Job before = job(id);
      tally = tally.changed(before, next);
      if (before == null) {
        job = texts.shared(next);
        texts = texts.used(job);
      } else {
        texts = texts.changed(before, job);
      }
      pending =
          job.state() instanceof JobState.Pending ? pending.with(id, job) : pending.without(id);
      unsettled = job.isTimeDependent() ? unsettled.with(id, job) : unsettled.without(id);
      ended = job.state() instanceof JobState.Ended ? ended.with(id, job) : ended.without(id);
      active =
          switch (job.state()) {
            case JobState.Running _, JobState.Suspended _, JobState.Completing _ ->
                active.with(id, job);
            case JobState.Pending _, JobState.Ended _ -> active.without(id);
          };
      if (job.array() instanceof ArrayPart.Task task) {
        arrayTasks =
            arrayTasks.with(
                task.arrayJobId(), arrayTasks(task.arrayJobId()).with(task.index(), id));
      }
    }

    void remove(int id) {
      Job job = job(id);
      tally = tally.changed(job, null);
      pending = pending.without(id);
      unsettled = unsettled.without(id);
      active = active.without(id);
      ended = ended.without(id);
      if (job != null) {
        texts = texts.released(job);
      }
      if (job != null && job.array() instanceof ArrayPart.Task task) {
        IntMap<Integer> left = arrayTasks(task.arrayJobId()).without(task.index());
        arrayTasks =
            left.isEmpty()
                ? arrayTasks.without(task.arrayJobId())
                : arrayTasks.with(task.arrayJobId(), left);
      }
      int submitted =
          job != null && job.array() instanceof ArrayPart.Task of ? of.arrayJobId() : id;
      if (records(submitted).isEmpty()) {
        requests = requests.without(submitted);
      }
    }

    /** By their positions. */
    IntMap<NodeRecord> nodes() {
      return nodes.byPlace();
    }

    @Nullable NodeRecord node(String name) {
      return nodes.get(name);
    }

    /** Replaces a node, or adds it behind the last one. */
    void put(NodeRecord node) {
      nodes = nodes.with(node.name(), node);
    }

    void removeNode(String name) {
      nodes = nodes.without(name);
    }

    /** Replaces all nodes, in this order. */
    void replaceNodes(List<NodeRecord> records) {
      nodes = NamedSeries.of(records, NodeRecord::name);
    }
  }
}

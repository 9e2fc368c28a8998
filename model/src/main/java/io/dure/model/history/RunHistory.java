package io.dure.model.history;

import io.dure.model.collection.IntMap;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs ran, by users and kinds, and in the whole cluster by the limits that they had; how
 * much work waited at most, and which jobs came last. Written when jobs come, begin and end, so it
 * follows from the events alone. Of each user it holds a bounded number of runs, and a bounded
 * number of users, of whom those are forgotten first who ran nothing for the longest time.
 *
 * @param users by their numbers
 * @param cluster the last runs of all users, by {@link #rung} of their limits, the last first
 * @param ends how many runs were noted
 * @param waiting the work that waits now for resources alone, in CPU seconds by the limits
 * @param peak the most work that waited, in CPU seconds that it was expected to hold; fades by half
 *     in {@link WorkBacklog#HALF_LIFE}. What an earlier release wrote counts limits
 * @param peakAt the time that it is of, null where nothing ran yet
 * @param since when the first job began, null where none did
 * @param recent the jobs that came last, the last first; at most {@link #MOST_RECENT}
 * @param backlogs of each job that waits, by its id, the peak when it came, in whole CPU seconds
 * @param asked what the last jobs that ended asked for, to their limits, in CPU seconds; each end
 *     lets it fade by a hundredth, as the next
 * @param ran what they held in the end
 * @param spectrum how the work of the last jobs that ended divides among run times
 * @param gpus what waits and waited for GPUs, in GPU seconds; that for CPUs are the components from
 *     {@code waiting} to {@code peakAt} and from {@code backlogs} to {@code ran}
 */
@RecordBuilder
public record RunHistory(
    IntMap<UserRunHistory> users,
    IntMap<List<RecordedRun>> cluster,
    long ends,
    long waiting,
    double peak,
    @Nullable Instant peakAt,
    @Nullable Instant since,
    List<RecordedArrival> recent,
    IntMap<Long> backlogs,
    double asked,
    double ran,
    WorkSpectrum spectrum,
    WorkBacklog gpus)
    implements RunHistoryBuilder.With {
  /** Nothing ran yet. */
  public static final RunHistory EMPTY =
      new RunHistory(
          IntMap.empty(),
          IntMap.empty(),
          0,
          0,
          0,
          null,
          null,
          List.of(),
          IntMap.empty(),
          0,
          0,
          WorkSpectrum.EMPTY,
          WorkBacklog.EMPTY);

  static final int MOST_USERS = 4096;

  /** Runs that are kept of each rung of limits. */
  static final int MOST_OF_RUNG = 64;

  /** Jobs that came last, which are kept. */
  static final int MOST_RECENT = 128;

  private static final int RUNGS_AN_OCTAVE = 2;
  private static final int TOP_RUNG = 80;

  /** What a job counts for that names no limit: the work of a day. */
  private static final long USUAL_SECONDS = 86_400;

  private static final long MOST_SECONDS = 366L * 86_400;

  /** The most work that one job counts for: the sum of millions of jobs is still a number. */
  private static final double MOST_WORK = 1L << 42;

  /** What an old journal knows nothing of is empty. */
  public RunHistory {
    recent = List.copyOf(recent);
    backlogs = Objects.requireNonNullElse(backlogs, IntMap.empty());
    spectrum = Objects.requireNonNullElse(spectrum, WorkSpectrum.EMPTY);
    gpus = Objects.requireNonNullElse(gpus, WorkBacklog.EMPTY);
  }

  /** What waits and waited for CPUs, in CPU seconds. */
  public WorkBacklog cpus() {
    return new WorkBacklog(waiting, peak, peakAt, backlogs, asked, ran);
  }

  /** The same object where both are: comparing what a long queue waits for takes time. */
  @SuppressWarnings("ReferenceEquality")
  private RunHistory withBacklogs(WorkBacklog before, WorkBacklog cpus, WorkBacklog ofGpus) {
    return cpus == before && ofGpus == gpus ? this : with(cpus, ofGpus);
  }

  private RunHistory with(WorkBacklog cpus, WorkBacklog ofGpus) {
    return with()
        .waiting(cpus.waiting())
        .peak(cpus.peak())
        .peakAt(cpus.peakAt())
        .backlogs(cpus.backlogs())
        .asked(cpus.asked())
        .ran(cpus.ran())
        .gpus(ofGpus)
        .build();
  }

  /**
   * What waits was counted elsewhere; so is all of what waits for GPUs where nothing is known of
   * it, as in what an earlier release wrote.
   */
  public RunHistory withWaitingOf(RunHistory other) {
    boolean older = gpus.equals(WorkBacklog.EMPTY);
    WorkBacklog ofGpus = older ? other.gpus : gpus.withWaiting(other.gpus.waiting());
    return with().waiting(other.waiting).gpus(ofGpus).build();
  }

  /** A job is another one now, or came (null before) or went (null now). */
  public RunHistory changed(@Nullable Job before, @Nullable Job after) {
    RecordedArrival came = before == null && after != null ? RecordedArrival.of(after) : null;
    RunHistory next =
        came == null ? this : withRecent(UserRunHistory.before(recent, came, MOST_RECENT));
    WorkBacklog ofCpus = cpus();
    return next.withBacklogs(
        ofCpus,
        changed(ofCpus, before, after, ResourceRequest::neededCpus),
        changed(gpus, before, after, ResourceRequest::totalGpus));
  }

  private static WorkBacklog changed(
      WorkBacklog backlog,
      @Nullable Job before,
      @Nullable Job after,
      ToLongFunction<ResourceRequest> amount) {
    long now = work(after, amount);
    WorkBacklog next = backlog.plus(now - work(before, amount));
    if (before != null && !isPending(after)) {
      return next.left(before.id());
    }
    Instant eligible = after == null ? null : after.eligibleTime();
    return after != null && eligible != null && now > 0 ? next.came(after.id(), eligible) : next;
  }

  private static boolean isPending(@Nullable Job job) {
    return job != null && job.state() instanceof JobState.Pending;
  }

  /** The work that a job waits with for its turn, in seconds of one unit of a resource. */
  private static long work(@Nullable Job job, ToLongFunction<ResourceRequest> amount) {
    if (job == null
        || job.eligibleTime() == null
        || !(job.state() instanceof JobState.Pending pending)
        || pending.hold() != Hold.NONE) {
      return 0;
    }
    long seconds =
        job.spec().timeLimit() instanceof TimeLimit.Limited(Duration limit)
            ? Math.clamp(limit.toSeconds(), 1, MOST_SECONDS)
            : USUAL_SECONDS;
    long tasks = job.array() instanceof ArrayPart.Waiting waits ? waits.waiting().size() : 1;
    double work = (double) seconds * amount.applyAsLong(job.spec().resources()) * tasks;
    return (long) Math.min(work, MOST_WORK);
  }

  /** A job begins to run; what waits is looked at. */
  public RunHistory started(Instant at) {
    WorkBacklog ofCpus = cpus();
    RunHistory next = withBacklogs(ofCpus, ofCpus.started(at), gpus.started(at));
    return since == null ? next.withSince(at) : next;
  }

  /** A job of a user ran for so long, and held that. */
  public RunHistory ended(int uid, SimilarRunKey kind, RunResources used, RecordedRun run) {
    long number = ends + 1;
    IntMap<UserRunHistory> known =
        users.size() < MOST_USERS || users.contains(uid) ? users : youngest();
    UserRunHistory own = known.get(uid);
    int rung = rung(kind.limit());
    List<RecordedRun> level = cluster.get(rung);
    return with()
        .users(known.with(uid, (own == null ? UserRunHistory.NONE : own).with(kind, run, number)))
        .cluster(
            cluster.with(
                rung, UserRunHistory.before(level == null ? List.of() : level, run, MOST_OF_RUNG)))
        .ends(number)
        .build()
        .counted(used, run);
  }

  /** With what a run held of what it asked for. */
  private RunHistory counted(RunResources used, RecordedRun run) {
    RunHistory next =
        withSpectrum(spectrum.with(run.seconds(), (double) used.cpus() * run.seconds()));
    if (run.limit() >= RecordedRun.UNLIMITED) {
      return next;
    }
    double most = (double) run.limit();
    double ranFor = Math.min((double) run.seconds(), most);
    return next.with(
        cpus().ended(used.askedCpus() * most, used.cpus() * ranFor),
        used.askedGpus() == 0 ? gpus : gpus.ended(used.askedGpus() * most, used.gpus() * ranFor));
  }

  /** Those three quarters of the users who ran something last. */
  private IntMap<UserRunHistory> youngest() {
    List<Long> uses = new ArrayList<>(users.size());
    users.forEach((_, one) -> uses.add(one.used()));
    Collections.sort(uses);
    long least = uses.get(uses.size() / 4);
    IntMap<UserRunHistory> kept = users;
    for (int uid : users.keys()) {
      kept = users.require(uid).used() < least ? kept.without(uid) : kept;
    }
    return kept;
  }

  /** Limits that differ by less than half have the same number. */
  static int rung(long limit) {
    double octaves = Math.log((double) Math.max(1, limit)) / Math.log(2);
    return limit >= RecordedRun.UNLIMITED
        ? TOP_RUNG + 1
        : Math.min(TOP_RUNG, (int) Math.floor(RUNGS_AN_OCTAVE * octaves));
  }

  /** What a user ran. */
  public UserRunHistory of(int uid) {
    UserRunHistory runs = users.get(uid);
    return runs == null ? UserRunHistory.NONE : runs;
  }

  /** What ran in the cluster under about that limit, the last first. */
  public List<RecordedRun> runsWithLimit(long limit) {
    List<RecordedRun> runs = cluster.get(rung(limit));
    return runs == null ? List.of() : runs;
  }
}

package io.dure.model.history;

import io.dure.model.collection.IntMap;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.TimeLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
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
 * @param peak the most work that waited, in CPU seconds that it was expected to run; fades by half
 *     in {@link #HALF_LIFE}. What an earlier release wrote counts limits
 * @param peakAt the time that it is of, null where nothing ran yet
 * @param since when the first job began, null where none did
 * @param recent the jobs that came last, the last first; at most {@link #MOST_RECENT}
 * @param backlogs of each job that waits, by its id, the peak when it came, in whole CPU seconds
 * @param asked the work that the last jobs that ended were given by their limits, in CPU seconds;
 *     each end lets it fade by a hundredth, as the next
 * @param ran the work that they were in the end
 * @param spectrum how the work of the last jobs that ended divides among run times
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
    WorkSpectrum spectrum)
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
          WorkSpectrum.EMPTY);

  /** After that time, what waited at most counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(180);

  static final int MOST_USERS = 4096;

  /** Runs that are kept of each rung of limits. */
  static final int MOST_OF_RUNG = 64;

  /** Jobs that came last, which are kept. */
  static final int MOST_RECENT = 128;

  /** What is left of the sums of earlier runs after one more. */
  private static final double KEPT = 0.99;

  private static final int RUNGS_AN_OCTAVE = 2;
  private static final int TOP_RUNG = 80;

  /** What a job counts for that names no limit: the work of a day. */
  private static final long USUAL_SECONDS = 86_400;

  private static final long MOST_SECONDS = 366L * 86_400;

  /** What an old journal knows nothing of is empty. */
  public RunHistory {
    recent = List.copyOf(recent);
    backlogs = Objects.requireNonNullElse(backlogs, IntMap.empty());
    spectrum = Objects.requireNonNullElse(spectrum, WorkSpectrum.EMPTY);
  }

  /** A job is another one now, or came (null before) or went (null now). */
  public RunHistory changed(@Nullable Job before, @Nullable Job after) {
    long now = work(after);
    long more = now - work(before);
    RecordedArrival came = before == null && after != null ? RecordedArrival.of(after) : null;
    RunHistory next =
        more == 0 && came == null
            ? this
            : with()
                .waiting(waiting + more)
                .recent(came == null ? recent : UserRunHistory.before(recent, came, MOST_RECENT))
                .build();
    if (before != null && !isPending(after) && backlogs.contains(before.id())) {
      return next.withBacklogs(backlogs.without(before.id()));
    }
    Instant eligible = after == null ? null : after.eligibleTime();
    if (after != null && eligible != null && now > 0 && !backlogs.contains(after.id())) {
      return next.withBacklogs(backlogs.with(after.id(), Math.round(next.peak(eligible))));
    }
    return next;
  }

  private static boolean isPending(@Nullable Job job) {
    return job != null && job.state() instanceof JobState.Pending;
  }

  /** The work that waits now, in CPU seconds as jobs have run lately of what they asked for. */
  public double expected() {
    return asked > 0 ? waiting * ran / asked : waiting;
  }

  /** The work that a job waits with for its turn, in CPU seconds. */
  private static long work(@Nullable Job job) {
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
    return seconds * job.spec().resources().totalCpus() * tasks;
  }

  /** A job begins to run; what waits is looked at. */
  public RunHistory started(Instant at) {
    double faded = peak(at);
    boolean higher = expected() >= faded;
    return higher || since == null
        ? with().peak(faded).peakAt(at).since(since == null ? at : since).build()
        : this;
  }

  /** The most that waited, faded until then. */
  public double peak(Instant now) {
    Instant from = peakAt;
    if (from == null || !now.isAfter(from)) {
      return Math.max(expected(), peak);
    }
    double lives = (double) Duration.between(from, now).toSeconds() / HALF_LIFE.toSeconds();
    return Math.max(expected(), peak * Math.pow(0.5, lives));
  }

  /** The peak that was known when a job came that waits, else the one that is known now. */
  public double backlogOf(Job job, Instant now) {
    Long known = backlogs.get(job.id());
    return known == null ? peak(now) : known;
  }

  /** A job of a user ran for so long. */
  public RunHistory ended(int uid, SimilarRunKey kind, RecordedRun run) {
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
        .counted(kind.cpus(), run);
  }

  /** With what a run was of what it asked for. */
  private RunHistory counted(int cpus, RecordedRun run) {
    double work = (double) Math.max(1, cpus) * run.seconds();
    boolean limited = run.limit() < RecordedRun.UNLIMITED;
    return with()
        .asked(limited ? KEPT * asked + (double) Math.max(1, cpus) * run.limit() : asked)
        .ran(limited ? KEPT * ran + Math.min(work, (double) Math.max(1, cpus) * run.limit()) : ran)
        .spectrum(spectrum.with(run.seconds(), work))
        .build();
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

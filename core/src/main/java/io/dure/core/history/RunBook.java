package io.dure.core.history;

import io.dure.core.collection.IntMap;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.TimeLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
 * @param peak the most that waited; fades by half in {@link #HALF_LIFE}
 * @param peakAt the time that it is of, null where nothing ran yet
 * @param since when the first job began, null where none did
 * @param recent the jobs that came last, the last first; at most {@link #MOST_RECENT}
 */
@RecordBuilder
public record RunBook(
    IntMap<UserRuns> users,
    IntMap<List<Run>> cluster,
    long ends,
    long waiting,
    double peak,
    @Nullable Instant peakAt,
    @Nullable Instant since,
    List<Arrival> recent)
    implements RunBookBuilder.With {
  /** Nothing ran yet. */
  public static final RunBook EMPTY =
      new RunBook(IntMap.empty(), IntMap.empty(), 0, 0, 0, null, null, List.of());

  /** After that time, what waited at most counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(180);

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

  /** Who came last is empty where an old journal knows nothing of it. */
  public RunBook {
    recent = List.copyOf(recent);
  }

  /** A job is another one now, or came (null before) or went (null now). */
  public RunBook changed(@Nullable Job before, @Nullable Job after) {
    long more = work(after) - work(before);
    Arrival came = before == null && after != null ? Arrival.of(after) : null;
    return more == 0 && came == null
        ? this
        : with()
            .waiting(waiting + more)
            .recent(came == null ? recent : UserRuns.before(recent, came, MOST_RECENT))
            .build();
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
  public RunBook started(Instant at) {
    double faded = peak(at);
    boolean higher = (double) waiting >= faded;
    return higher || since == null
        ? with().peak(higher ? waiting : faded).peakAt(at).since(since == null ? at : since).build()
        : this;
  }

  /** The most that waited, faded until then. */
  public double peak(Instant now) {
    Instant from = peakAt;
    if (from == null || !now.isAfter(from)) {
      return peak;
    }
    double lives = (double) Duration.between(from, now).toSeconds() / HALF_LIFE.toSeconds();
    return Math.max((double) waiting, peak * Math.pow(0.5, lives));
  }

  /** A job of a user ran for so long. */
  public RunBook ended(int uid, RunKind kind, Run run) {
    long number = ends + 1;
    IntMap<UserRuns> known = users.size() < MOST_USERS || users.contains(uid) ? users : youngest();
    UserRuns own = known.get(uid);
    int rung = rung(kind.limit());
    List<Run> level = cluster.get(rung);
    return with()
        .users(known.with(uid, (own == null ? UserRuns.NONE : own).with(kind, run, number)))
        .cluster(
            cluster.with(
                rung, UserRuns.before(level == null ? List.of() : level, run, MOST_OF_RUNG)))
        .ends(number)
        .build();
  }

  /** Those three quarters of the users who ran something last. */
  private IntMap<UserRuns> youngest() {
    List<Long> uses = new ArrayList<>(users.size());
    users.forEach((_, one) -> uses.add(one.used()));
    Collections.sort(uses);
    long least = uses.get(uses.size() / 4);
    IntMap<UserRuns> kept = users;
    for (int uid : users.keys()) {
      kept = users.require(uid).used() < least ? kept.without(uid) : kept;
    }
    return kept;
  }

  /** Limits that differ by less than half have the same number. */
  static int rung(long limit) {
    double octaves = Math.log((double) Math.max(1, limit)) / Math.log(2);
    return limit >= Run.UNLIMITED
        ? TOP_RUNG + 1
        : Math.min(TOP_RUNG, (int) Math.floor(RUNGS_AN_OCTAVE * octaves));
  }

  /** What a user ran. */
  public UserRuns of(int uid) {
    UserRuns runs = users.get(uid);
    return runs == null ? UserRuns.NONE : runs;
  }

  /** What ran in the cluster under about that limit, the last first. */
  public List<Run> under(long limit) {
    List<Run> runs = cluster.get(rung(limit));
    return runs == null ? List.of() : runs;
  }
}

package io.dure.cluster;

import io.dure.model.collection.IntMap;
import io.dure.model.command.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was answered to the last changes: who asks again, because the answer was lost on the way, is
 * told the same, and nothing is done again. An answer is remembered for ten minutes at least, or
 * until 100,000 more have been given, and the last 1,000 however far a clock jumps; it takes some
 * 150 bytes, and of a bulk cancellation that failed for many jobs only a part is kept. Which are
 * forgotten follows from the answers' own times, so it is the same in a replay. Submissions are in
 * {@link SubmissionIndex} instead, as long as their jobs. Immutable: any thread may read any
 * version.
 */
public final class RecentReplies {
  /** No answer. */
  static final RecentReplies NONE = new RecentReplies(IntMap.empty(), IntMap.empty(), 0, 0, 0);

  /** Most that are remembered. */
  static final int MOST = 100_000;

  /** So many are remembered however old they seem. */
  static final int FEWEST = 1000;

  /** Failures in all of them, from which on the oldest go early: some 60 MB. */
  static final int MOST_PARTS = 1_000_000;

  /** How long each is remembered, if no more than {@link #MOST} follow. */
  static final Duration AGE = Duration.ofMinutes(10);

  /** Places of the ring that holds them by age, and of the table that finds them: 17 bits. */
  private static final int PLACES = 1 << 17;

  /** Most that go when one comes: so no change takes long after a busy time. */
  private static final int LEAVING = 8;

  private final IntMap<Entry> byAge;
  private final IntMap<List<Entry>> byHash;
  private final int oldest;
  private final int size;
  private final int parts;

  /**
   * An answer.
   *
   * @param id the change's name
   * @param uid in whose name it was asked for
   * @param kind what kind of change it was, as {@code Command.UserCommand#kind} names it
   * @param reply what was answered
   * @param at when
   */
  public record Entry(RequestId id, int uid, String kind, Reply reply, Instant at) {
    /** An answer; the few kinds there are take memory once, and long answers are cut. */
    public Entry {
      kind = kind.intern();
      reply = reply instanceof Reply.Killed killed ? killed.remembered() : reply;
    }

    /** Parts of the answer that take memory of their own. */
    private int parts() {
      return reply instanceof Reply.Killed killed ? killed.failures().size() : 0;
    }

    private boolean isTo(RequestId asked, int by, String what) {
      return uid == by && id.equals(asked) && kind.equals(what);
    }
  }

  private RecentReplies(
      IntMap<Entry> byAge, IntMap<List<Entry>> byHash, int oldest, int size, int parts) {
    this.byAge = byAge;
    this.byHash = byHash;
    this.oldest = oldest;
    this.size = size;
    this.parts = parts;
  }

  /** What that caller was told when it asked for that change, null if that is not known. */
  public @Nullable Reply reply(RequestId id, int uid, String kind) {
    for (Entry entry : bucket(hash(id))) {
      if (entry.isTo(id, uid, kind)) {
        return entry.reply();
      }
    }
    return null;
  }

  /** All, the oldest first. */
  public List<Entry> all() {
    List<Entry> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(byAge.require((oldest + i) % PLACES));
    }
    return all;
  }

  /** With one more, without some that are too old or too many. */
  RecentReplies with(Entry entry) {
    RecentReplies kept = this;
    for (int i = 0; i < LEAVING && kept.size > 0 && kept.mayForget(entry.at()); i++) {
      kept = kept.withoutOldest();
    }
    return kept.plus(entry);
  }

  /** Those that {@link #all} listed. */
  static RecentReplies of(List<Entry> all) {
    RecentReplies answers = NONE;
    for (Entry entry : all) {
      answers = answers.plus(entry);
    }
    return answers;
  }

  private RecentReplies plus(Entry entry) {
    int hash = hash(entry.id());
    List<Entry> bucket = new ArrayList<>(bucket(hash));
    bucket.add(entry);
    return new RecentReplies(
        byAge.with((oldest + size) % PLACES, entry),
        byHash.with(hash, List.copyOf(bucket)),
        oldest,
        size + 1,
        parts + entry.parts());
  }

  private boolean mayForget(Instant now) {
    return size >= MOST
        || (size > FEWEST
            && (parts >= MOST_PARTS || byAge.require(oldest).at().plus(AGE).isBefore(now)));
  }

  @SuppressWarnings("ReferenceEquality") // that very one, not one like it
  private RecentReplies withoutOldest() {
    Entry gone = byAge.require(oldest);
    int hash = hash(gone.id());
    List<Entry> left = bucket(hash).stream().filter(other -> other != gone).toList();
    return new RecentReplies(
        byAge.without(oldest),
        left.isEmpty() ? byHash.without(hash) : byHash.with(hash, left),
        (oldest + 1) % PLACES,
        size - 1,
        parts - gone.parts());
  }

  private List<Entry> bucket(int hash) {
    List<Entry> found = byHash.get(hash);
    return found == null ? List.of() : found;
  }

  private static int hash(RequestId id) {
    return (int) (id.low() ^ id.high()) & PLACES - 1;
  }
}

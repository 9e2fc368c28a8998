package io.dure.cluster;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scripts and environments, each once however many jobs share it, and gone with the last of them.
 * Immutable: any thread may read any version. The text without characters is known to all and not
 * kept. Where their characters lie is up to a {@link TextStorage}.
 */
public final class JobTextStore {
  /** No text. */
  static final JobTextStore NONE = in(TextStorage.IN_MEMORY);

  /** A tree of four levels, full enough with many texts and small with few. */
  private static final int BUCKET_BITS = 20;

  private final IntMap<List<Entry>> buckets;

  /**
   * Of the texts in memory that their characters lead to the same place, the newest: to find it
   * there again takes a tenth of what it takes to make its name.
   */
  private final IntMap<Text> places;

  /** Characters that the jobs of each user keep, a text that some of them share once. */
  private final IntMap<Long> kept;

  private final TextStorage storage;

  /** A text and its name. */
  public record Text(TextId id, String content) {}

  /**
   * A text with what is known of its use.
   *
   * @param users whose jobs refer to it
   * @param latest the newest job with this environment, null for a script
   * @param latestSize characters of what that job says itself
   */
  private record Entry(
      TextId id, TextContent content, List<User> users, @Nullable Job latest, long latestSize) {
    int uses() {
      int uses = 0;
      for (User user : users) {
        uses += user.uses();
      }
      return uses;
    }
  }

  /** How often the jobs of a user refer to a text, at least once. */
  private record User(int uid, int uses) {}

  private JobTextStore(
      IntMap<List<Entry>> buckets, IntMap<Text> places, IntMap<Long> kept, TextStorage storage) {
    this.buckets = buckets;
    this.places = places;
    this.kept = kept;
    this.storage = storage;
  }

  /** No text; what is added is kept there. */
  public static JobTextStore in(TextStorage storage) {
    return new JobTextStore(IntMap.empty(), IntMap.empty(), IntMap.empty(), storage);
  }

  /** Characters of all that the jobs of a user say; a text that some of them share counts once. */
  public long keptFor(int uid) {
    Long size = kept.get(uid & Integer.MAX_VALUE);
    return size == null ? 0 : size;
  }

  /** Characters of all that all jobs say; a text that several users share counts for each. */
  public long kept() {
    long[] sum = {0};
    kept.forEach((_, size) -> sum[0] += size);
    return sum[0];
  }

  private JobTextStore keeping(int uid, long more) {
    int key = uid & Integer.MAX_VALUE;
    long size = keptFor(uid) + more;
    return more == 0
        ? this
        : new JobTextStore(
            buckets, places, size == 0 ? kept.without(key) : kept.with(key, size), storage);
  }

  /** The name of a text, whether it is here or not. */
  public TextId named(String content) {
    Text seen = places.get(place(content));
    return seen != null && seen.content().equals(content) ? seen.id() : TextId.of(content);
  }

  /** True if the text is here. */
  public boolean contains(TextId id) {
    return id.equals(TextId.EMPTY) || entry(id) != null;
  }

  /**
   * The text of that name.
   *
   * @throws IllegalStateException if it is not here
   * @throws UnreadableTextException if it cannot be read now
   */
  public String content(TextId id) {
    return id.equals(TextId.EMPTY) ? "" : require(id).content().read();
  }

  /** How often jobs refer to the text; 0 if it is not here. */
  public int uses(TextId id) {
    Entry entry = entry(id);
    return entry == null ? 0 : entry.uses();
  }

  /**
   * The texts of a job of this state.
   *
   * @throws UnreadableTextException if one cannot be read now
   */
  public JobTexts of(Job job) {
    return new JobTexts(content(job.workload().script()), content(job.workload().environment()));
  }

  /**
   * All texts, in an order that only their names make. Each is read when it is taken from the list,
   * which may throw {@link UnreadableTextException}: more than one need not be in memory at a time.
   */
  public List<Text> all() {
    List<Entry> all = new ArrayList<>();
    buckets.forEach((_, bucket) -> all.addAll(bucket));
    return new Listing(all);
  }

  private static final class Listing extends AbstractList<Text> {
    private final List<Entry> entries;

    Listing(List<Entry> entries) {
      this.entries = entries;
    }

    @Override
    public Text get(int index) {
      Entry entry = entries.get(index);
      return new Text(entry.id(), entry.content().read());
    }

    @Override
    public int size() {
      return entries.size();
    }
  }

  /** With a text that is not here yet; it is to be used by a job at once. */
  public JobTextStore with(TextId id, String text) {
    if (contains(id)) {
      throw new IllegalStateException("text stored twice: " + id);
    }
    TextContent content = storage.keep(text);
    List<Entry> bucket = new ArrayList<>(bucket(id));
    bucket.add(new Entry(id, content, List.of(), null, 0));
    bucket.sort((a, b) -> a.id().toString().compareTo(b.id().toString()));
    return new JobTextStore(
        buckets.with(key(id), List.copyOf(bucket)),
        content instanceof TextContent.InMemory
            ? places.with(place(text), new Text(id, text))
            : places,
        kept,
        storage);
  }

  /**
   * The job, made of the very objects that the latest one with the same environment is made of
   * wherever both say the same: of a thousand jobs that one loop submits, nearly all is kept once.
   */
  Job shared(Job job) {
    Entry entry = entry(job.workload().environment());
    Job latest = entry == null ? null : entry.latest();
    return latest == null ? job : JobInterner.of(job, latest);
  }

  /** With one more use of each text of the job. */
  JobTextStore used(Job job) {
    long size = size(job);
    return counted(job, job.workload().script(), 1, null, 0)
        .counted(job, job.workload().environment(), 1, job, size);
  }

  /** With one use less of each text of the job, and without those that are not used any more. */
  JobTextStore released(Job job) {
    return counted(job, job.workload().script(), -1, null, 0)
        .counted(job, job.workload().environment(), -1, null, -OwnTextSize.of(job));
  }

  /** What a job says itself; of jobs that one loop submits, each is made of the same objects. */
  @SuppressWarnings("ReferenceEquality")
  private long size(Job job) {
    Entry entry = entry(job.workload().environment());
    if (entry != null && entry.latest() != null) {
      Job latest = entry.latest();
      if (latest.spec() == job.spec() && latest.workload() == job.workload()) {
        return entry.latestSize();
      }
    }
    return OwnTextSize.of(job);
  }

  /** After a job became another one with the same texts. */
  @SuppressWarnings("ReferenceEquality") // most changes leave both as they are, and need no count
  JobTextStore changed(Job before, Job after) {
    return before.spec() == after.spec() && before.workload() == after.workload()
        ? this
        : keeping(after.owner().uid(), OwnTextSize.of(after) - OwnTextSize.of(before));
  }

  /**
   * With another use of a text, or one less.
   *
   * @param latest the newest job with this environment, null to leave it
   * @param size characters that its owner keeps from now on beside the text, negative for less
   */
  private JobTextStore counted(Job job, TextId id, int more, @Nullable Job latest, long size) {
    int uid = job.owner().uid();
    if (id.equals(TextId.EMPTY)) {
      return keeping(uid, size);
    }
    Entry before = require(id);
    List<User> users = counted(before.users(), uid, more);
    Entry after =
        latest == null
            ? new Entry(id, before.content(), users, before.latest(), before.latestSize())
            : new Entry(id, before.content(), users, latest, size);
    int longer = users.size() - before.users().size();
    return new JobTextStore(
            with(before, users.isEmpty() ? null : after),
            users.isEmpty() ? placesWithout(before) : places,
            kept,
            storage)
        .keeping(uid, size + (long) longer * before.content().length());
  }

  private IntMap<List<Entry>> with(Entry before, @Nullable Entry after) {
    List<Entry> bucket = bucket(before.id());
    if (bucket.size() == 1) {
      return after == null
          ? buckets.without(key(before.id()))
          : buckets.with(key(before.id()), List.of(after));
    }
    List<Entry> next = new ArrayList<>(bucket);
    int place = next.indexOf(before);
    if (after == null) {
      next.remove(place);
    } else {
      next.set(place, after);
    }
    return buckets.with(key(before.id()), List.copyOf(next));
  }

  private static List<User> counted(List<User> before, int uid, int more) {
    if (more > 0 && before.size() == 1 && before.getFirst().uid() == uid) {
      return List.of(new User(uid, before.getFirst().uses() + more));
    }
    List<User> users = new ArrayList<>(before.size() + 1);
    int uses = more;
    for (User user : before) {
      if (user.uid() == uid) {
        uses += user.uses();
      } else {
        users.add(user);
      }
    }
    if (uses > 0) {
      users.add(new User(uid, uses));
    }
    return List.copyOf(users);
  }

  private IntMap<Text> placesWithout(Entry gone) {
    if (!(gone.content() instanceof TextContent.InMemory(String text))) {
      return places;
    }
    int place = place(text);
    Text there = places.get(place);
    return there != null && there.id().equals(gone.id()) ? places.without(place) : places;
  }

  private Entry require(TextId id) {
    Entry entry = entry(id);
    if (entry == null) {
      throw new IllegalStateException("no text " + id);
    }
    return entry;
  }

  private @Nullable Entry entry(TextId id) {
    for (Entry entry : bucket(id)) {
      if (entry.id().equals(id)) {
        return entry;
      }
    }
    return null;
  }

  private List<Entry> bucket(TextId id) {
    List<Entry> bucket = buckets.get(key(id));
    return bucket == null ? List.of() : bucket;
  }

  private static int place(String content) {
    return content.hashCode() >>> (Integer.SIZE - BUCKET_BITS);
  }

  private static int key(TextId id) {
    return (int) (id.first() >>> (Long.SIZE - BUCKET_BITS));
  }
}

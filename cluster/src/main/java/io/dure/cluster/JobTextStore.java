package io.dure.cluster;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scripts and environments, each once however many jobs share it, and gone with the last of them.
 * Immutable: any thread may read any version. The text without characters is known to all and not
 * kept.
 */
public final class JobTextStore {
  /** No text. */
  static final JobTextStore NONE = new JobTextStore(IntMap.empty(), IntMap.empty());

  /** A tree of four levels, full enough with many texts and small with few. */
  private static final int BUCKET_BITS = 20;

  private final IntMap<List<Entry>> buckets;

  /**
   * Of the texts whose characters lead to the same place, the newest: to find it there again takes
   * a tenth of what it takes to make its name.
   */
  private final IntMap<Text> places;

  /** A text and its name. */
  public record Text(TextId id, String content) {}

  /**
   * A text with what is known of its use.
   *
   * @param uses how often jobs refer to it
   * @param latest the newest job with this environment, null for a script
   */
  private record Entry(TextId id, String content, int uses, @Nullable Job latest) {}

  private JobTextStore(IntMap<List<Entry>> buckets, IntMap<Text> places) {
    this.buckets = buckets;
    this.places = places;
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
   */
  public String content(TextId id) {
    return id.equals(TextId.EMPTY) ? "" : require(id).content();
  }

  /** How often jobs refer to the text; 0 if it is not here. */
  public int uses(TextId id) {
    Entry entry = entry(id);
    return entry == null ? 0 : entry.uses();
  }

  /** The texts of a job of this state. */
  public JobTexts of(Job job) {
    return new JobTexts(content(job.workload().script()), content(job.workload().environment()));
  }

  /** All texts, in an order that only their names make. */
  public List<Text> all() {
    List<Text> all = new ArrayList<>();
    buckets.forEach(
        (_, bucket) -> bucket.forEach(entry -> all.add(new Text(entry.id(), entry.content()))));
    return all;
  }

  /** With a text that is not here yet; it is to be used by a job at once. */
  JobTextStore with(TextId id, String content) {
    if (contains(id)) {
      throw new IllegalStateException("text stored twice: " + id);
    }
    List<Entry> bucket = new ArrayList<>(bucket(id));
    bucket.add(new Entry(id, content, 0, null));
    bucket.sort((a, b) -> a.id().toString().compareTo(b.id().toString()));
    return new JobTextStore(
        buckets.with(key(id), List.copyOf(bucket)),
        places.with(place(content), new Text(id, content)));
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
    return counted(job.workload().script(), 1, null).counted(job.workload().environment(), 1, job);
  }

  /** With one use less of each text of the job, and without those that are not used any more. */
  JobTextStore released(Job job) {
    return counted(job.workload().script(), -1, null)
        .counted(job.workload().environment(), -1, null);
  }

  private JobTextStore counted(TextId id, int more, @Nullable Job user) {
    if (id.equals(TextId.EMPTY)) {
      return this;
    }
    Entry before = require(id);
    int uses = before.uses() + more;
    List<Entry> bucket = new ArrayList<>();
    for (Entry entry : bucket(id)) {
      if (!entry.id().equals(id)) {
        bucket.add(entry);
      } else if (uses > 0) {
        Job latest = user == null ? before.latest() : user;
        bucket.add(new Entry(before.id(), before.content(), uses, latest));
      }
    }
    return new JobTextStore(
        bucket.isEmpty() ? buckets.without(key(id)) : buckets.with(key(id), List.copyOf(bucket)),
        uses > 0 ? places : placesWithout(before));
  }

  private IntMap<Text> placesWithout(Entry gone) {
    int place = place(gone.content());
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

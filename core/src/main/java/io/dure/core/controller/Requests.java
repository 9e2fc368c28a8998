package io.dure.core.controller;

import io.dure.core.collection.IntMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which submission each job came with, as long as the job is remembered: who asks again, because
 * the answer was lost on the way, gets the same job. Immutable: any thread may read any version.
 */
public final class Requests {
  /** No submission. */
  static final Requests NONE = new Requests(IntMap.empty(), IntMap.empty());

  private final IntMap<Entry> byJob;
  private final IntMap<List<Entry>> byHash;

  /**
   * A submission.
   *
   * @param requestId what the caller names it
   * @param uid who called
   * @param jobId the job, or the array, that it became
   */
  public record Entry(String requestId, int uid, int jobId) {}

  private Requests(IntMap<Entry> byJob, IntMap<List<Entry>> byHash) {
    this.byJob = byJob;
    this.byHash = byHash;
  }

  /** The job of that caller's submission, null if there is none. */
  public @Nullable Integer jobOf(String requestId, int uid) {
    for (Entry entry : bucket(hash(requestId))) {
      if (entry.uid() == uid && entry.requestId().equals(requestId)) {
        return entry.jobId();
      }
    }
    return null;
  }

  /** All, by their jobs. */
  public List<Entry> all() {
    return byJob.values();
  }

  Requests with(Entry entry) {
    int hash = hash(entry.requestId());
    List<Entry> bucket = new ArrayList<>(bucket(hash));
    bucket.add(entry);
    return new Requests(byJob.with(entry.jobId(), entry), byHash.with(hash, List.copyOf(bucket)));
  }

  /** Without that of a job, if it has one. */
  Requests without(int jobId) {
    Entry entry = byJob.get(jobId);
    if (entry == null) {
      return this;
    }
    int hash = hash(entry.requestId());
    List<Entry> left = bucket(hash).stream().filter(other -> other.jobId() != jobId).toList();
    return new Requests(
        byJob.without(jobId), left.isEmpty() ? byHash.without(hash) : byHash.with(hash, left));
  }

  private List<Entry> bucket(int hash) {
    List<Entry> found = byHash.get(hash);
    return found == null ? List.of() : found;
  }

  /** 20 bits: keys as dense as the submissions of a long queue take the least memory. */
  private static int hash(String requestId) {
    return requestId.hashCode() * 0x9E3779B9 >>> 12;
  }
}

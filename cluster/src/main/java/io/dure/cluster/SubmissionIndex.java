package io.dure.cluster;

import io.dure.model.collection.IntMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which submission each job came with, as long as the job is remembered: who asks again, because
 * the answer was lost on the way, gets the same job. Immutable: any thread may read any version.
 */
public final class SubmissionIndex {
  /** No submission. */
  static final SubmissionIndex NONE = new SubmissionIndex(IntMap.empty(), IntMap.empty());

  private final IntMap<Submission> byJob;
  private final IntMap<List<Submission>> byHash;

  /**
   * A submission.
   *
   * @param requestId what the caller names it
   * @param uid who called
   * @param jobId the job, or the array, that it became
   */
  public record Submission(String requestId, int uid, int jobId) {}

  private SubmissionIndex(IntMap<Submission> byJob, IntMap<List<Submission>> byHash) {
    this.byJob = byJob;
    this.byHash = byHash;
  }

  /** The job of that caller's submission, null if there is none. */
  public @Nullable Integer jobOf(String requestId, int uid) {
    for (Submission entry : bucket(hash(requestId))) {
      if (entry.uid() == uid && entry.requestId().equals(requestId)) {
        return entry.jobId();
      }
    }
    return null;
  }

  /** All, by their jobs. */
  public List<Submission> all() {
    return byJob.values();
  }

  SubmissionIndex with(Submission entry) {
    int hash = hash(entry.requestId());
    List<Submission> bucket = new ArrayList<>(bucket(hash));
    bucket.add(entry);
    return new SubmissionIndex(
        byJob.with(entry.jobId(), entry), byHash.with(hash, List.copyOf(bucket)));
  }

  /** Without that of a job, if it has one. */
  SubmissionIndex without(int jobId) {
    Submission entry = byJob.get(jobId);
    if (entry == null) {
      return this;
    }
    int hash = hash(entry.requestId());
    List<Submission> left = bucket(hash).stream().filter(other -> other.jobId() != jobId).toList();
    return new SubmissionIndex(
        byJob.without(jobId), left.isEmpty() ? byHash.without(hash) : byHash.with(hash, left));
  }

  private List<Submission> bucket(int hash) {
    List<Submission> found = byHash.get(hash);
    return found == null ? List.of() : found;
  }

  /** 20 bits: keys as dense as the submissions of a long queue take the least memory. */
  private static int hash(String requestId) {
    return requestId.hashCode() * 0x9E3779B9 >>> 12;
  }
}

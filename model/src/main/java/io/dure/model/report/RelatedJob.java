package io.dure.model.report;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Another job as far as it matters to the one that is explained.
 *
 * @param jobId id of its record, 0 where the asker may not know
 * @param word what people call it, empty where the asker may not know
 * @param user its owner, empty likewise
 * @param account its account, null for none
 * @param nodes nodes that it holds, or asks for
 * @param cpus CPUs likewise
 * @param gpus GPUs likewise
 * @param licenses licences that it holds, empty for none
 * @param until when a running job ends at the latest, null for never
 * @param limit the limit of a job that waits, null for none
 * @param runs whether it holds anything now
 * @param whole whether it waits for nodes of its own, of which it has all
 */
@RecordBuilder
public record RelatedJob(
    int jobId,
    String word,
    String user,
    @Nullable String account,
    int nodes,
    int cpus,
    long gpus,
    String licenses,
    @Nullable Instant until,
    @Nullable Duration limit,
    boolean runs,
    boolean whole)
    implements RelatedJobBuilder.With {

  /** The same of a job that is told of under these names. */
  public RelatedJob of(int nextId, String nextWord, String nextUser, @Nullable String nextAccount) {
    return with().jobId(nextId).word(nextWord).user(nextUser).account(nextAccount).build();
  }
}

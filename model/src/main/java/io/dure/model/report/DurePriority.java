package io.dure.model.report;

import org.jspecify.annotations.Nullable;

/**
 * Where a waiting job stands in Dure's own order, and by what.
 *
 * @param priority the number by which it stands, larger first; 0 while it is held
 * @param fixed whether that number was set by hand, so that nothing of the rest counts
 * @param rank that of its QOS among all priorities of QOS, 0 for the lowest; each counts as a band
 * @param band that of whom it is charged to, 0 for those who had most of their shares
 * @param share by how much its association has less than its share, against the middle of those who
 *     wait: 2 for half as much used; infinite where it used nothing, null without accounts
 * @param prediction how long it is expected to run
 * @param width CPUs, or what it asks for most of as so many CPUs
 * @param waitedSeconds how long it could have run already
 * @param boundSeconds after what wait a start is reserved for it that no job behind it delays
 * @param overdue whether it has waited for longer, so that the rest does not count
 * @param bySize what its size gives in {@code priority} if it is short, else 0
 * @param site what an operator added
 * @param nice what is taken away
 * @param byWait what its wait gives in {@code priority} if it is not short: jobs that are not short
 *     come in the order of submission; of an overdue one, what its place gives
 * @param shortSeconds up to what predicted run time jobs are short
 * @param overloaded whether the longest backlog is beyond the longest bound, so that fewer jobs are
 *     short and all are planned by their limits
 */
public record DurePriority(
    long priority,
    boolean fixed,
    int rank,
    int band,
    @Nullable Double share,
    RunTimePrediction prediction,
    double width,
    long waitedSeconds,
    long boundSeconds,
    boolean overdue,
    long bySize,
    long site,
    long nice,
    long byWait,
    long shortSeconds,
    boolean overloaded) {
  /** What a job gets that is half the size of another. */
  public static final long OF_A_DOUBLING = 100_000;
}

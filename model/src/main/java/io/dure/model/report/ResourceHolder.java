package io.dure.model.report;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What an account or a user holds and waits for.
 *
 * @param who the holder
 * @param depth how many accounts stand above it
 * @param held what its jobs hold
 * @param running how many jobs hold that
 * @param waiting what it waits for
 * @param share what it is entitled to, null for who has no share or whose share is not shown
 */
@RecordBuilder
public record ResourceHolder(
    ShareHolder who,
    int depth,
    ResourceAmounts held,
    long running,
    Waiting waiting,
    @Nullable Share share)
    implements ResourceHolderBuilder.With {

  /**
   * Jobs that wait.
   *
   * @param jobs how many, each task of an array counted
   * @param later of these those that would not start now if all were free: they are held, or wait
   *     for a time or for other jobs
   * @param asked what all ask for at least
   */
  public record Waiting(long jobs, long later, ResourceAmounts asked) {
    /** Both together. */
    public Waiting plus(Waiting other) {
      return new Waiting(jobs + other.jobs, later + other.later, asked.plus(other.asked));
    }
  }

  /**
   * A share of the cluster and its use.
   *
   * @param entitled the part of the whole cluster that it is given, 0 to 1
   * @param used its part of all that was used, old use fading; 0 to 1
   * @param factor the fair-share factor in the priority of jobs, 0 to 1
   */
  public record Share(double entitled, double used, double factor) {}
}

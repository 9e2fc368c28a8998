package io.dure.placement.cores;

/**
 * How a job shares its cores with others of its partition.
 *
 * @param jobs how many jobs of the partition a core may have
 * @param layers it takes cores that fewer of these jobs have; 0 for free cores
 */
public record CoreSharing(int jobs, int layers) {

  /** The job takes what it finds. */
  public CoreSharing(int jobs) {
    this(jobs, jobs);
  }

  /** The same, taking cores of fewer. */
  public CoreSharing within(int fewer) {
    return new CoreSharing(jobs, fewer);
  }
}

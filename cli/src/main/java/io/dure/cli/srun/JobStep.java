package io.dure.cli.srun;

/** A step by the id of its job and its number there. */
record JobStep(int jobId, int number) {
  @Override
  public String toString() {
    return jobId + "." + number;
  }
}

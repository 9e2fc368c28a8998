package io.dure.model.command;

import org.jspecify.annotations.Nullable;

/**
 * A run that a node daemon knows of when it registers.
 *
 * @param jobId job
 * @param run run number of the launch
 * @param end how its step ended, null while it runs
 * @param clean true if nothing of it is left on the node and its epilog is done
 * @param ending true if the node has been told to end it
 * @param suspended true if its processes stand still
 */
public record RunReport(
    int jobId, int run, @Nullable StepEnd end, boolean clean, boolean ending, boolean suspended) {

  /** A run that is not suspended. */
  public RunReport(int jobId, int run, @Nullable StepEnd end, boolean clean, boolean ending) {
    this(jobId, run, end, clean, ending, false);
  }
}

package io.dure.model.command;

import java.util.List;
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
 * @param steps the numbered steps that live on the node, or whose end is not on record; null for
 *     none
 */
public record RunReport(
    int jobId,
    int run,
    @Nullable StepEnd end,
    boolean clean,
    boolean ending,
    boolean suspended,
    @Nullable List<Integer> steps) {

  /** A run without numbered steps here. */
  public RunReport(
      int jobId, int run, @Nullable StepEnd end, boolean clean, boolean ending, boolean suspended) {
    this(jobId, run, end, clean, ending, suspended, null);
  }

  /** The same with these numbered steps. */
  public RunReport with(List<Integer> live) {
    List<Integer> known = live.isEmpty() ? null : List.copyOf(live);
    return new RunReport(jobId, run, end, clean, ending, suspended, known);
  }

  /** Whether the node knows a numbered step of it. */
  public boolean has(int step) {
    return steps != null && steps.contains(step);
  }

  /** A run that is not suspended. */
  public RunReport(int jobId, int run, @Nullable StepEnd end, boolean clean, boolean ending) {
    this(jobId, run, end, clean, ending, false);
  }
}

package io.dure.model.step;

import io.dure.model.ExitStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbered steps of a run.
 *
 * @param next number of the next one
 * @param live those that have not ended, numbers rising
 * @param highest the worst end of a step so far
 * @param first how the one numbered 0 ended, null while it has not
 */
public record RunSteps(
    int next, List<LaunchedStep> live, ExitStatus highest, @Nullable ExitStatus first) {
  /** A run that has launched nothing. */
  public static final RunSteps NONE = new RunSteps(0, List.of(), ExitStatus.OK, null);

  /** The step of that number, null if it is not live. */
  public @Nullable LaunchedStep step(int number) {
    for (LaunchedStep step : live) {
      if (step.number() == number) {
        return step;
      }
    }
    return null;
  }

  /** The same with one more. */
  public RunSteps with(LaunchedStep step) {
    List<LaunchedStep> more = new ArrayList<>(live);
    more.add(step);
    return new RunSteps(step.number() + 1, List.copyOf(more), highest, first);
  }

  /** The same with a live step as it is now; one without nodes left is over. */
  public RunSteps changed(LaunchedStep step) {
    List<LaunchedStep> others = new ArrayList<>(live.size());
    for (LaunchedStep one : live) {
      if (one.number() != step.number()) {
        others.add(one);
      } else if (!step.nodesLeft().isEmpty()) {
        others.add(step);
      }
    }
    boolean over = step.nodesLeft().isEmpty();
    return new RunSteps(
        next,
        List.copyOf(others),
        over ? LaunchedStep.worse(highest, step.exit()) : highest,
        over && step.number() == 0 ? step.exit() : first);
  }

  /** The same with no step live: the run is over. */
  public RunSteps over() {
    return live.isEmpty() ? this : new RunSteps(next, List.of(), highest, first);
  }
}

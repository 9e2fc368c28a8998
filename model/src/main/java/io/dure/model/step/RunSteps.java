package io.dure.model.step;

import io.dure.model.ExitStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps that {@code srun} launched in a run: the numbered ones, and the interactive one.
 *
 * @param next number of the next one
 * @param live those that have not ended, in the order in which they began
 * @param highest the worst end of a step so far
 * @param first how the one numbered 0 ended, null while it has not
 * @param shell whether it has had its interactive step, of which there is one in a run
 * @param unheard parts that lived when the run ended, and whose ends no node has told yet
 */
public record RunSteps(
    int next,
    List<LaunchedStep> live,
    ExitStatus highest,
    @Nullable ExitStatus first,
    boolean shell,
    List<Unheard> unheard) {
  /** A run that has launched nothing. */
  public static final RunSteps NONE =
      new RunSteps(0, List.of(), ExitStatus.OK, null, false, List.of());

  /** Steps; a journal may have none that are unheard. */
  public RunSteps {
    unheard = unheard == null ? List.of() : List.copyOf(unheard);
  }

  /**
   * A step of a run that is over.
   *
   * @param step its number
   * @param nodes that have not told how it ended there
   */
  public record Unheard(int step, List<String> nodes) {}

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
    boolean isShell = step.name() instanceof StepName.InteractiveStep; // not in the row of numbers
    return new RunSteps(
        isShell ? next : step.number() + 1,
        List.copyOf(more),
        highest,
        first,
        shell || isShell,
        unheard);
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
        over && step.number() == 0 ? step.exit() : first,
        shell,
        unheard);
  }

  /** The same where all parts of steps on these nodes are over, each with that end. */
  public RunSteps withoutNodes(Set<String> nodes, ExitStatus exit) {
    RunSteps next = this;
    for (LaunchedStep step : live) {
      if (step.isLiveOnAny(nodes)) {
        next = next.changed(step.endedOn(nodes, exit));
      }
    }
    return next;
  }

  /** The same with another worst end. */
  public RunSteps withHighest(ExitStatus exit) {
    return new RunSteps(next, live, exit, first, shell, unheard);
  }

  /** The same with no step live: the run is over. */
  public RunSteps over() {
    List<Unheard> left =
        live.stream().map(step -> new Unheard(step.number(), step.nodesLeft())).toList();
    return live.isEmpty() ? this : new RunSteps(next, List.of(), highest, first, shell, left);
  }

  /** The nodes of a run that is over that have not told how that step ended there. */
  public List<String> unheardOf(int step) {
    for (Unheard one : unheard) {
      if (one.step() == step) {
        return one.nodes();
      }
    }
    return List.of();
  }

  /** The same where these nodes have told it. */
  public RunSteps heard(int step, Set<String> nodes) {
    List<Unheard> left = new ArrayList<>(unheard.size());
    for (Unheard one : unheard) {
      List<String> rest =
          one.step() == step
              ? one.nodes().stream().filter(node -> !nodes.contains(node)).toList()
              : one.nodes();
      if (!rest.isEmpty()) {
        left.add(new Unheard(one.step(), rest));
      }
    }
    return new RunSteps(next, live, highest, first, shell, left);
  }
}

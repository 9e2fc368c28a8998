package io.dure.faults.shrink;

import io.dure.faults.scenario.FaultScenario;
import io.dure.faults.scenario.ScenarioAct;
import io.dure.faults.world.FaultHooks;
import io.dure.faults.world.PromiseViolation;
import io.dure.faults.world.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes acts out of a scenario that breaks a promise, as long as the same promise breaks without
 * them.
 */
public final class ScenarioShrinker {
  private final Supplier<FaultHooks> wiring;
  private final String promise;
  private final long deadline;
  private int runs;

  private ScenarioShrinker(Supplier<FaultHooks> wiring, String promise, Duration longest) {
    this.wiring = wiring;
    this.promise = promise;
    this.deadline = System.nanoTime() + longest.toNanos();
  }

  /**
   * The short scenario.
   *
   * @param runs worlds that it took
   */
  public record Shrunk(FaultScenario scenario, int runs) {}

  /**
   * Shrinks a scenario.
   *
   * @param longest real time after which the shortest so far has to do
   */
  public static Shrunk shrink(
      FaultScenario scenario,
      Supplier<FaultHooks> wiring,
      PromiseViolation violation,
      Duration longest) {
    ScenarioShrinker shrinker = new ScenarioShrinker(wiring, violation.promise(), longest);
    FaultScenario shortest = shrinker.shrink(scenario);
    return new Shrunk(shortest, shrinker.runs);
  }

  private FaultScenario shrink(FaultScenario scenario) {
    FaultScenario shortest = scenario;
    int pieces = 2;
    while (System.nanoTime() < deadline) {
      int count = shortest.acts().size();
      int piece = Math.max(1, (count + pieces - 1) / pieces);
      FaultScenario shorter = without(shortest, piece);
      if (shorter.acts().size() < count) {
        shortest = shorter;
        pieces = Math.max(2, pieces - 1);
      } else if (piece == 1) {
        return shortest;
      } else {
        pieces = Math.min(count, pieces * 2);
      }
    }
    return shortest;
  }

  /** Leaves out each piece in turn that is not needed, the last ones first. */
  private FaultScenario without(FaultScenario scenario, int piece) {
    List<ScenarioAct> acts = new ArrayList<>(scenario.acts());
    for (int from = acts.size() - 1; from >= 0 && System.nanoTime() < deadline; from -= piece) {
      int first = Math.max(0, from - piece + 1);
      List<ScenarioAct> fewer = new ArrayList<>(acts.subList(0, first));
      fewer.addAll(acts.subList(from + 1, acts.size()));
      if (breaks(scenario.with(List.copyOf(fewer)))) {
        acts = fewer;
      }
    }
    return scenario.with(List.copyOf(acts));
  }

  private boolean breaks(FaultScenario scenario) {
    runs++;
    PromiseViolation violation = SimulatedWorld.run(scenario, wiring.get(), false).violation();
    return violation != null && violation.promise().equals(promise);
  }
}

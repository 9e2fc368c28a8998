package io.dure.simulator.shrink;

import io.dure.simulator.scenario.Act;
import io.dure.simulator.scenario.Scenario;
import io.dure.simulator.world.Violation;
import io.dure.simulator.world.Wiring;
import io.dure.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes acts out of a scenario that breaks a promise, as long as the same promise breaks without
 * them.
 */
public final class Shrinker {
  private final Supplier<Wiring> wiring;
  private final String promise;
  private final long deadline;
  private int runs;

  private Shrinker(Supplier<Wiring> wiring, String promise, Duration longest) {
    this.wiring = wiring;
    this.promise = promise;
    this.deadline = System.nanoTime() + longest.toNanos();
  }

  /**
   * The short scenario.
   *
   * @param runs worlds that it took
   */
  public record Shrunk(Scenario scenario, int runs) {}

  /**
   * Shrinks a scenario.
   *
   * @param longest real time after which the shortest so far has to do
   */
  public static Shrunk shrink(
      Scenario scenario, Supplier<Wiring> wiring, Violation violation, Duration longest) {
    Shrinker shrinker = new Shrinker(wiring, violation.promise(), longest);
    Scenario shortest = shrinker.shrink(scenario);
    return new Shrunk(shortest, shrinker.runs);
  }

  private Scenario shrink(Scenario scenario) {
    Scenario shortest = scenario;
    int pieces = 2;
    while (System.nanoTime() < deadline) {
      int count = shortest.acts().size();
      int piece = Math.max(1, (count + pieces - 1) / pieces);
      Scenario shorter = without(shortest, piece);
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
  private Scenario without(Scenario scenario, int piece) {
    List<Act> acts = new ArrayList<>(scenario.acts());
    for (int from = acts.size() - 1; from >= 0 && System.nanoTime() < deadline; from -= piece) {
      int first = Math.max(0, from - piece + 1);
      List<Act> fewer = new ArrayList<>(acts.subList(0, first));
      fewer.addAll(acts.subList(from + 1, acts.size()));
      if (breaks(scenario.with(List.copyOf(fewer)))) {
        acts = fewer;
      }
    }
    return scenario.with(List.copyOf(acts));
  }

  private boolean breaks(Scenario scenario) {
    runs++;
    Violation violation = World.run(scenario, wiring.get(), false).violation();
    return violation != null && violation.promise().equals(promise);
  }
}

package io.dure.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.faults.plantedbugs.PlantedBug;
import io.dure.faults.scenario.FaultScenario;
import io.dure.faults.shrink.ScenarioShrinker;
import io.dure.faults.world.FaultHooks;
import io.dure.faults.world.PromiseViolation;
import io.dure.faults.world.SimulatedWorld;
import io.dure.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random worlds, the same in each build; {@code -Ddure.chaos.seed=S} for others. */
@Tag("pure")
class ChaosRunnerTest {
  private static final int SEEDS = Cases.of(200);
  private static final int NODES = 6;
  private static final long MILLIS = 480_000;

  private static FaultScenario scenario(long seed) {
    return FaultScenario.of(seed, NODES, 0, MILLIS);
  }

  @Test
  void worldsKeepEveryPromise() {
    long seed = Long.getLong("dure.chaos.seed", 1 + Cases.seeds());
    System.out.println("chaos: seeds from " + seed + " (-Ddure.chaos.seed=" + seed + ")");
    ChaosOptions options = new ChaosOptions(seed, SEEDS, MILLIS, NODES, 0, false, false, 1);
    assertEquals(0, new ChaosRunner(options, System.out).run(), "promises broken, see above");
  }

  @Test
  void aSeedIsAStory() {
    SimulatedWorld.Outcome one = SimulatedWorld.run(scenario(7), FaultHooks.SOUND, true);
    SimulatedWorld.Outcome again = SimulatedWorld.run(scenario(7), FaultHooks.SOUND, false);
    assertEquals(one.hash(), again.hash());
    assertEquals(one.counts(), again.counts());
    assertNotEquals(one.hash(), SimulatedWorld.run(scenario(8), FaultHooks.SOUND, false).hash());
    assertTrue(one.history().size() > 100);
    assertTrue(one.jobs() > 10);
  }

  @Test
  void aFailureIsToldInShort() {
    long seed = 1;
    PromiseViolation violation = null;
    while (violation == null) {
      violation =
          SimulatedWorld.run(
                  FaultScenario.of(seed++, NODES, 1, MILLIS),
                  PlantedBug.FORGETS_CANCEL.wiring(),
                  false)
              .violation();
    }
    FaultScenario failed = FaultScenario.of(seed - 1, NODES, 1, MILLIS);
    ScenarioShrinker.Shrunk shrunk =
        ScenarioShrinker.shrink(
            failed, PlantedBug.FORGETS_CANCEL::wiring, violation, Duration.ofSeconds(60));
    assertTrue(
        shrunk.scenario().acts().size() < failed.acts().size() / 4, shrunk.scenario().toString());
    SimulatedWorld.Outcome story =
        SimulatedWorld.run(shrunk.scenario(), PlantedBug.FORGETS_CANCEL.wiring(), true);
    assertNotNull(story.violation());
    assertTrue(story.history().toString().contains("a cancelled job is over"));
    assertNull(SimulatedWorld.run(shrunk.scenario(), FaultHooks.SOUND, false).violation());
  }

  /** The checkers see what a copy that votes does: what was acknowledged is gone. */
  @Test
  void anOlderCopyThatVotesIsFound() {
    PromiseViolation violation = null;
    for (long seed = 1; seed <= 100 && violation == null; seed++) {
      FaultScenario scenario = FaultScenario.of(seed, NODES, 3, MILLIS);
      violation =
          SimulatedWorld.run(scenario, PlantedBug.TRUSTS_COPIES.wiring(), false).violation();
    }
    assertNotNull(violation);
  }

  /** The checkers see books that lack a record, and a controller that is given none. */
  @Test
  void booksThatAreWrongAreFound() {
    for (PlantedBug bug : List.of(PlantedBug.FORGETS_A_RECORD, PlantedBug.DROPS_RECORDS)) {
      PromiseViolation violation = null;
      for (long seed = 1; seed <= 100 && violation == null; seed++) {
        FaultScenario scenario = FaultScenario.of(seed, NODES, 3, MILLIS);
        violation = SimulatedWorld.run(scenario, bug.wiring(), false).violation();
      }
      assertNotNull(violation, bug.words());
    }
  }

  @Test
  void optionsAreRead() {
    ChaosOptions options =
        ChaosOptions.of(
            new String[] {"--seed", "5", "--seeds", "7", "--hours", "0.5", "--threads", "3"}, 1);
    assertEquals(new ChaosOptions(5, 7, 1_800_000, 20, 0, false, false, 3), options);
    assertEquals(9, ChaosOptions.of(new String[0], 9).seed());
    for (String[] wrong : new String[][] {{"--seeds"}, {"--seeds", "x"}, {"--nodes", "0"}, {"x"}}) {
      assertThrows(IllegalArgumentException.class, () -> ChaosOptions.of(wrong, 1));
    }
  }

  @Test
  @Tag("soak")
  void plantedBugsAreFound() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    ChaosOptions options = new ChaosOptions(1, 1, MILLIS, NODES, 0, true, false, 1);
    int missed =
        new ChaosRunner(options, new PrintStream(told, true, StandardCharsets.UTF_8)).mutations();
    System.out.print(told.toString(StandardCharsets.UTF_8));
    assertEquals(0, missed);
  }
}

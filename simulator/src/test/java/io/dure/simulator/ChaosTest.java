package io.dure.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.simulator.mutation.Mutation;
import io.dure.simulator.scenario.Scenario;
import io.dure.simulator.shrink.Shrinker;
import io.dure.simulator.world.Violation;
import io.dure.simulator.world.Wiring;
import io.dure.simulator.world.World;
import io.dure.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Random worlds, the same in each build; {@code -Ddure.chaos.seed=S} for others. */
@Tag("pure")
class ChaosTest {
  private static final int SEEDS = Cases.of(200);
  private static final int NODES = 6;
  private static final long MILLIS = 480_000;

  private static Scenario scenario(long seed) {
    return Scenario.of(seed, NODES, 0, MILLIS);
  }

  @Test
  void worldsKeepEveryPromise() {
    long seed = Long.getLong("dure.chaos.seed", 1 + Cases.seeds());
    System.out.println("chaos: seeds from " + seed + " (-Ddure.chaos.seed=" + seed + ")");
    Options options = new Options(seed, SEEDS, MILLIS, NODES, 0, false, false, 1);
    assertEquals(0, new Chaos(options, System.out).run(), "promises broken, see above");
  }

  @Test
  void aSeedIsAStory() {
    World.Outcome one = World.run(scenario(7), Wiring.SOUND, true);
    World.Outcome again = World.run(scenario(7), Wiring.SOUND, false);
    assertEquals(one.hash(), again.hash());
    assertEquals(one.counts(), again.counts());
    assertNotEquals(one.hash(), World.run(scenario(8), Wiring.SOUND, false).hash());
    assertTrue(one.history().size() > 100);
    assertTrue(one.jobs() > 10);
  }

  @Test
  void aFailureIsToldInShort() {
    long seed = 1;
    Violation violation = null;
    while (violation == null) {
      violation =
          World.run(Scenario.of(seed++, NODES, 1, MILLIS), Mutation.FORGETS_CANCEL.wiring(), false)
              .violation();
    }
    Scenario failed = Scenario.of(seed - 1, NODES, 1, MILLIS);
    Shrinker.Shrunk shrunk =
        Shrinker.shrink(failed, Mutation.FORGETS_CANCEL::wiring, violation, Duration.ofSeconds(60));
    assertTrue(
        shrunk.scenario().acts().size() < failed.acts().size() / 4, shrunk.scenario().toString());
    World.Outcome story = World.run(shrunk.scenario(), Mutation.FORGETS_CANCEL.wiring(), true);
    assertNotNull(story.violation());
    assertTrue(story.history().toString().contains("a cancelled job is over"));
    assertNull(World.run(shrunk.scenario(), Wiring.SOUND, false).violation());
  }

  @Test
  void optionsAreRead() {
    Options options =
        Options.of(
            new String[] {"--seed", "5", "--seeds", "7", "--hours", "0.5", "--threads", "3"}, 1);
    assertEquals(new Options(5, 7, 1_800_000, 20, 0, false, false, 3), options);
    assertEquals(9, Options.of(new String[0], 9).seed());
    for (String[] wrong : new String[][] {{"--seeds"}, {"--seeds", "x"}, {"--nodes", "0"}, {"x"}}) {
      assertThrows(IllegalArgumentException.class, () -> Options.of(wrong, 1));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "dure.chaos.mutations", matches = "true")
  void plantedBugsAreFound() {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    Options options = new Options(1, 1, MILLIS, NODES, 0, true, false, 1);
    int missed =
        new Chaos(options, new PrintStream(told, true, StandardCharsets.UTF_8)).mutations();
    System.out.print(told.toString(StandardCharsets.UTF_8));
    assertEquals(0, missed);
  }
}

package io.dure.simulator.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All that is done to a cluster, written down before.
 *
 * @param seed of the chance that decides on the rest: delays, and what a crash leaves
 * @param nodes nodes of the cluster
 * @param controllers its controllers
 * @param millis virtual time until the faults stop
 * @param acts what happens, in order
 */
public record Scenario(long seed, int nodes, int controllers, long millis, List<Act> acts) {
  private static final int SUBMISSION_EVERY = 12_000;
  private static final int REQUEST_EVERY = 30_000;
  private static final int FAULT_EVERY = 40_000;

  /**
   * The scenario of a seed.
   *
   * @param controllers how many controllers, 0 for what the seed says: half of them one
   */
  public static Scenario of(long seed, int nodes, int controllers, long millis) {
    SplittableRandom random = new SplittableRandom(seed);
    int drawn = random.split().nextInt(8);
    int several = drawn < 4 ? 1 : drawn < 7 ? 3 : 5;
    int all = controllers == 0 ? several : controllers;
    List<Act> acts = new Maker(random, nodes, all, millis).all();
    return new Scenario(seed, nodes, all, millis, acts);
  }

  /** The same with other acts. */
  public Scenario with(List<Act> others) {
    return new Scenario(seed, nodes, controllers, millis, others);
  }

  private static final class Maker {
    private final SplittableRandom random;
    private final int nodes;
    private final int controllers;
    private final long millis;
    private final List<Act> acts = new ArrayList<>();
    private int submissions;

    Maker(SplittableRandom random, int nodes, int controllers, long millis) {
      this.random = random;
      this.nodes = nodes;
      this.controllers = controllers;
      this.millis = millis;
    }

    List<Act> all() {
      // Some worlds are quiet, some are wild.
      int pace = 1 + random.nextInt(4);
      for (long at = 500; at < millis; at += gap(SUBMISSION_EVERY)) {
        acts.add(new Act(at, submission()));
      }
      int given = submissions;
      for (long at = 5000; at < millis; at += gap(REQUEST_EVERY)) {
        int about = (int) (given * at / millis);
        int which = Math.clamp(about - random.nextInt(12), 0, Math.max(0, given - 1));
        acts.add(new Act(at, request(which)));
      }
      for (long at = 3000; at < millis; at += gap(FAULT_EVERY / pace)) {
        acts.add(new Act(at, fault()));
      }
      acts.sort(Comparator.comparingLong(Act::atMillis));
      return List.copyOf(acts);
    }

    private long gap(int mean) {
      return 1L + random.nextInt(2 * mean);
    }

    private int between(int low, int high) {
      return low + random.nextInt(high - low + 1);
    }

    private boolean percent(int share) {
      return random.nextInt(100) < share;
    }

    private int node() {
      return between(1, nodes);
    }

    /** The one that leads as often as any. */
    private int controller() {
      return controllers == 1 || percent(50) ? 0 : between(1, controllers);
    }

    private Act.What submission() {
      int number = submissions++;
      int length = percent(15) ? between(200, 900) : between(1, 200);
      return new Act.Submit(
          number,
          between(1, 4),
          percent(15) ? between(1, Math.min(3, nodes)) : 1,
          between(1, 8),
          percent(3) ? 100_000 : length,
          percent(10) ? between(1, 4) : 30,
          percent(15) ? between(1, 3) : 0,
          percent(10),
          percent(70),
          percent(8) ? between(1, 5) : 0,
          percent(10) && number > 0 ? Math.max(0, number - between(1, 10)) : -1);
    }

    private Act.What request(int submission) {
      if (percent(12)) {
        String state = percent(40) ? "DRAIN" : percent(40) ? "DOWN" : "RESUME";
        return new Act.OfNode(node(), state);
      }
      Act.Ask[] all = Act.Ask.values();
      return new Act.OfJob(
          percent(40) ? Act.Ask.CANCEL : all[random.nextInt(all.length)], submission);
    }

    private int pause() {
      return percent(70) ? between(10, 5000) : between(5000, 90_000);
    }

    private Act.What fault() {
      // Several controllers have more in which things can go wrong.
      return controllers > 1 && percent(40) ? amongControllers() : anywhere();
    }

    private Act.What amongControllers() {
      return switch (random.nextInt(10)) {
        case 0 -> new Act.LoseDisk(controller(), pause());
        case 1 -> new Act.CutOff(controller(), percent(70), percent(70), pause());
        case 2, 3 -> new Act.Isolate(controller(), pause());
        case 4, 5 -> partition();
        case 6 -> new Act.BadPeers(pause(), between(0, 40), between(0, 40), between(1, 400));
        case 7, 8 -> new Act.TakeOver(between(1, controllers));
        default -> new Act.KillController(controller(), pause());
      };
    }

    /** Some are cut from the others, in one direction. */
    private Act.What partition() {
      int all = (1 << controllers) - 1;
      int side = between(1, all - 1);
      int other = percent(50) ? all & ~side : between(1, all);
      return new Act.CutControllers(side, other, pause());
    }

    private Act.What anywhere() {
      return switch (random.nextInt(20)) {
        case 0, 1 -> new Act.KillController(controller(), pause());
        case 2 -> new Act.PowerLoss(controller(), pause());
        case 3, 4 ->
            new Act.DieWriting(controller(), between(1, 40), random.nextBoolean(), pause());
        case 5 -> new Act.PauseController(controller(), pause());
        case 6 -> new Act.DiskFull(controller(), pause());
        case 7 -> new Act.DiskErrors(controller(), pause(), between(5, 60));
        case 8 -> new Act.DiskSlow(controller(), pause(), between(50, 3000));
        case 9 -> new Act.BitRot(controller(), pause());
        case 10 -> clock();
        case 11 -> new Act.KillDaemon(node(), pause());
        case 12 -> new Act.Reboot(node(), pause() + 20_000);
        case 13 -> new Act.PauseDaemon(node(), pause());
        case 14 -> new Act.BreakLink(node());
        case 15, 16 -> cut();
        case 17 -> new Act.SlowLink(node(), between(10, 20_000), pause());
        case 18 -> new Act.SpoolFull(node(), pause());
        default -> new Act.LoseAnswers(pause(), between(10, 90));
      };
    }

    private Act.What clock() {
      int seconds = percent(50) ? between(1, 7200) : -between(1, 7200);
      return percent(50)
          ? new Act.ControllerClock(controller(), seconds)
          : new Act.ClockJump(node(), seconds);
    }

    private Act.What cut() {
      int which = random.nextInt(3);
      int millis = percent(30) ? between(60_000, 400_000) : pause();
      return new Act.CutLink(node(), which != 1, which != 2, millis);
    }
  }
}

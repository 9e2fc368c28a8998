package io.dure.faults.scenario;

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
public record FaultScenario(
    long seed, int nodes, int controllers, long millis, List<ScenarioAct> acts) {
  private static final int SUBMISSION_EVERY = 12_000;
  private static final int REQUEST_EVERY = 30_000;
  private static final int FAULT_EVERY = 40_000;
  private static final int BOOKS_FAULT_EVERY = 60_000;
  private static final int STEP_EVERY = 15_000;

  /**
   * The scenario of a seed.
   *
   * @param controllers how many controllers, 0 for what the seed says: half of them one
   */
  public static FaultScenario of(long seed, int nodes, int controllers, long millis) {
    SplittableRandom random = new SplittableRandom(seed);
    int drawn = random.split().nextInt(8);
    int several = drawn < 4 ? 1 : drawn < 7 ? 3 : 5;
    int all = controllers == 0 ? several : controllers;
    List<ScenarioAct> acts = new ArrayList<>(new Maker(random, nodes, all, millis).all());
    // By a chance of their own, so that what else happens is the same with and without them.
    acts.addAll(new Maker(new SplittableRandom(~seed), nodes, all, millis).ofBooks());
    acts.sort(Comparator.comparingLong(ScenarioAct::atMillis));
    return new FaultScenario(seed, nodes, all, millis, List.copyOf(acts));
  }

  /** The same with other acts. */
  public FaultScenario with(List<ScenarioAct> others) {
    return new FaultScenario(seed, nodes, controllers, millis, others);
  }

  private static final class Maker {
    private final SplittableRandom random;
    private final int nodes;
    private final int controllers;
    private final long millis;
    private final List<ScenarioAct> acts = new ArrayList<>();
    private int submissions;

    Maker(SplittableRandom random, int nodes, int controllers, long millis) {
      this.random = random;
      this.nodes = nodes;
      this.controllers = controllers;
      this.millis = millis;
    }

    List<ScenarioAct> all() {
      // Some worlds are quiet, some are wild.
      int pace = 1 + random.nextInt(4);
      for (long at = 500; at < millis; at += gap(SUBMISSION_EVERY)) {
        acts.add(new ScenarioAct(at, submission()));
      }
      int given = submissions;
      for (long at = 5000; at < millis; at += gap(REQUEST_EVERY)) {
        int about = (int) (given * at / millis);
        int which = Math.clamp(about - random.nextInt(12), 0, Math.max(0, given - 1));
        acts.add(new ScenarioAct(at, request(which)));
      }
      for (long at = 3000; at < millis; at += gap(FAULT_EVERY / pace)) {
        acts.add(new ScenarioAct(at, fault()));
      }
      for (long at = 5000; at < millis; at += gap(STEP_EVERY)) {
        int about = (int) (given * at / millis);
        int which = Math.clamp(about - random.nextInt(15), 0, Math.max(0, given - 1));
        acts.add(new ScenarioAct(at, ofSteps(which)));
      }
      acts.sort(Comparator.comparingLong(ScenarioAct::atMillis));
      return List.copyOf(acts);
    }

    List<ScenarioAct> ofBooks() {
      int pace = 1 + random.nextInt(4);
      for (long at = 3000; at < millis; at += gap(BOOKS_FAULT_EVERY / pace)) {
        acts.add(new ScenarioAct(at, booksFault()));
      }
      return acts;
    }

    private ScenarioAct.ActKind booksFault() {
      return switch (random.nextInt(8)) {
        case 0, 1 -> new ScenarioAct.BooksAway(controller(), pause());
        case 2, 3 -> new ScenarioAct.BooksBreak(controller(), pause(), between(10, 80));
        case 4 -> new ScenarioAct.BooksSlow(controller(), pause(), between(10, 10_000));
        case 5 -> new ScenarioAct.PutBackBooks(controller());
        default -> new ScenarioAct.BackUpBooks(controller());
      };
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

    private ScenarioAct.ActKind submission() {
      int number = submissions++;
      int length = percent(15) ? between(200, 900) : between(1, 200);
      return new ScenarioAct.Submit(
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

    private ScenarioAct.ActKind request(int submission) {
      if (percent(12)) {
        String state = percent(40) ? "DRAIN" : percent(40) ? "DOWN" : "RESUME";
        return new ScenarioAct.OfNode(node(), state);
      }
      ScenarioAct.JobRequestKind[] all = ScenarioAct.JobRequestKind.values();
      return new ScenarioAct.OfJob(
          percent(40) ? ScenarioAct.JobRequestKind.CANCEL : all[random.nextInt(all.length)],
          submission);
    }

    private ScenarioAct.ActKind ofSteps(int submission) {
      if (percent(50)) {
        return new ScenarioAct.CallStep(submission);
      }
      if (percent(40)) {
        return new ScenarioAct.LoseFrontEnd(submission, percent(40));
      }
      ScenarioAct.StepRequestKind[] all = ScenarioAct.StepRequestKind.values();
      return new ScenarioAct.AskOfStep(
          percent(40) ? ScenarioAct.StepRequestKind.CANCEL : all[random.nextInt(all.length)],
          submission);
    }

    private int pause() {
      return percent(70) ? between(10, 5000) : between(5000, 90_000);
    }

    private ScenarioAct.ActKind fault() {
      // Several controllers have more in which things can go wrong.
      return controllers > 1 && percent(40) ? amongControllers() : anywhere();
    }

    private ScenarioAct.ActKind amongControllers() {
      return switch (random.nextInt(12)) {
        case 10 -> new ScenarioAct.BackUp(between(1, controllers));
        case 11 -> new ScenarioAct.PutBack(between(1, controllers), pause());
        case 0 ->
            percent(50)
                ? new ScenarioAct.LoseDisk(controller(), pause())
                : new ScenarioAct.BitRot(controller(), pause());
        case 1 -> new ScenarioAct.CutOff(controller(), percent(70), percent(70), pause());
        case 2, 3 -> new ScenarioAct.Isolate(controller(), pause());
        case 4, 5 -> partition();
        case 6 ->
            new ScenarioAct.BadPeers(pause(), between(0, 40), between(0, 40), between(1, 400));
        case 7, 8 -> new ScenarioAct.TakeOver(between(1, controllers));
        default -> new ScenarioAct.KillController(controller(), pause());
      };
    }

    /** Some are cut from the others, in one direction. */
    private ScenarioAct.ActKind partition() {
      int all = (1 << controllers) - 1;
      int side = between(1, all - 1);
      int other = percent(50) ? all & ~side : between(1, all);
      return new ScenarioAct.CutControllers(side, other, pause());
    }

    private ScenarioAct.ActKind anywhere() {
      return switch (random.nextInt(20)) {
        case 0, 1 -> new ScenarioAct.KillController(controller(), pause());
        case 2 -> new ScenarioAct.PowerLoss(controller(), pause());
        case 3, 4 ->
            new ScenarioAct.DieWriting(controller(), between(1, 40), random.nextBoolean(), pause());
        case 5 -> new ScenarioAct.PauseController(controller(), pause());
        case 6 -> new ScenarioAct.DiskFull(controller(), pause());
        case 7 -> new ScenarioAct.DiskErrors(controller(), pause(), between(5, 60));
        case 8 -> new ScenarioAct.DiskSlow(controller(), pause(), between(50, 3000));
        case 9 -> new ScenarioAct.BitRot(controller(), pause());
        case 10 -> clock();
        case 11 -> new ScenarioAct.KillDaemon(node(), pause());
        case 12 -> new ScenarioAct.Reboot(node(), pause() + 20_000);
        case 13 -> new ScenarioAct.PauseDaemon(node(), pause());
        case 14 -> new ScenarioAct.BreakLink(node());
        case 15, 16 -> cut();
        case 17 -> new ScenarioAct.SlowLink(node(), between(10, 20_000), pause());
        case 18 -> new ScenarioAct.SpoolFull(node(), pause());
        default -> new ScenarioAct.LoseAnswers(pause(), between(10, 90));
      };
    }

    private ScenarioAct.ActKind clock() {
      int seconds = percent(50) ? between(1, 7200) : -between(1, 7200);
      return percent(50)
          ? new ScenarioAct.ControllerClock(controller(), seconds)
          : new ScenarioAct.ClockJump(node(), seconds);
    }

    private ScenarioAct.ActKind cut() {
      int which = random.nextInt(3);
      int millis = percent(30) ? between(60_000, 400_000) : pause();
      return new ScenarioAct.CutLink(node(), which != 1, which != 2, millis);
    }
  }
}

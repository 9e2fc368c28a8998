package io.dure.faults.world;

import io.dure.cluster.RequestId;
import io.dure.controller.loop.ReplyListener;
import io.dure.faults.scenario.ScenarioAct;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The people: what they ask for, again when no answer comes, and what they were told. */
final class SimulatedUsers {
  private static final long SECOND = 1_000_000;
  private static final long PATIENCE = 30 * SECOND;
  private static final int ATTEMPTS = 4;
  private static final long NEXT_DOOR = 50_000;
  private static final long NAMES = 0xD00E_0000_0000_0000L;

  /** The superuser. */
  static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);

  private final SimulatedWorld world;
  private final SplittableRandom random;
  private final TreeMap<Integer, Integer> jobs = new TreeMap<>();
  private long wishes;
  private long losingUntil;
  private int losingPercent;

  SimulatedUsers(SimulatedWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  private static Caller.User user(int number) {
    return new Caller.User(
        new UserIdentity(1000 + number, 100, "user" + number, "users"), List.of("users"), false);
  }

  void lose(long micros, int percent) {
    losingUntil = world.time.micros() + micros;
    losingPercent = percent;
  }

  private boolean lost() {
    return world.time.micros() < losingUntil && random.nextInt(100) < losingPercent;
  }

  void submit(ScenarioAct.Submit act) {
    IntFunction<Command.UserCommand> command =
        _ -> ScenarioCommands.command(act, act.after() < 0 ? null : jobs.get(act.after()));
    ask(
        new Wish(
            user(act.user()),
            command,
            reply -> {
              if (reply instanceof Reply.Submitted(int id)) {
                told(act.number(), id);
              } else {
                world.tell("s" + act.number() + " is refused: " + reply);
              }
            }));
  }

  private void told(int submission, int id) {
    Integer before = jobs.put(submission, id);
    if (before != null && before != id && !world.witness.isPurged(before)) {
      world.violate("a submission is one job", "s" + submission + ": " + before + " and " + id);
    }
    world.witness.acknowledged(id, "s" + submission);
  }

  void request(ScenarioAct.OfJob act) {
    Integer job = jobs.get(act.submission());
    if (job == null) {
      return;
    }
    Command.UserCommand command = ScenarioCommands.request(act.ask(), job, random);
    ask(
        new Wish(
            ROOT,
            _ -> command,
            reply -> {
              if (act.ask() == ScenarioAct.JobRequestKind.CANCEL && reply instanceof Reply.Done) {
                world.tell("job " + job + " is cancelled");
              }
            }));
  }

  void node(ScenarioAct.OfNode act) {
    node("n" + act.node(), act.state());
  }

  void node(String name, String state) {
    Map<String, String> keys = new TreeMap<>();
    keys.put("state", state);
    if (!state.equals("RESUME")) {
      keys.put("reason", "chaos");
    }
    ask(new Wish(ROOT, _ -> new Command.UpdateNodes(List.of(name), keys), _ -> {}));
  }

  void resume(int job) {
    ask(new Wish(ROOT, _ -> new Command.ResumeJob(new JobSelector(job, null)), _ -> {}));
  }

  void release(int job) {
    ask(new Wish(ROOT, _ -> new Command.ReleaseJob(new JobSelector(job, null)), _ -> {}));
  }

  /**
   * What somebody wants.
   *
   * @param command the command at that attempt
   * @param told who hears the answer
   */
  private record Wish(
      Caller.User who, IntFunction<Command.UserCommand> command, Consumer<Reply> told) {

    /** The command at that attempt; submissions have a name of their own. */
    Command named(int attempt, RequestId name) {
      Command.UserCommand now = command.apply(attempt);
      return now instanceof Command.SubmitJob || now instanceof Command.SubmitHetJob
          ? now
          : new Command.Named(name.toString(), now);
    }
  }

  private void ask(Wish wish) {
    new Attempt(wish, new RequestId(NAMES, ++wishes), 1).send();
  }

  private final class Attempt implements ReplyListener {
    private final Wish wish;
    private final RequestId name;
    private final int number;
    private final long since = world.time.micros();
    private int door;
    private int tried;
    private boolean over;

    Attempt(Wish wish, RequestId name, int number) {
      this.wish = wish;
      this.name = name;
      this.number = number;
      this.door = random.nextInt(world.controllers.size());
    }

    void send() {
      world.time.after(PATIENCE, "patience", () -> again(0));
      if (!lost()) {
        world.time.after(100L + random.nextInt(500), "request", this::arrive);
      }
    }

    private void arrive() {
      SimulatedControllerHost controller = world.controllers.get(door);
      if (over || controller.dark() || controller.isCut()) {
        return;
      }
      if (controller.serving() == null) {
        elsewhere();
        return;
      }
      Command command = wish.named(number, name);
      controller.call(command, wish.who(), this, this::elsewhere);
    }

    /** Another controller may lead; each is asked in turn for a while, after the product's way. */
    private void elsewhere() {
      tried++;
      if (world.controllers.size() == 1) {
        again(SECOND + random.nextLong(2 * SECOND));
      } else if (!over) {
        door = (door + 1) % world.controllers.size();
        if (world.time.micros() - since < PATIENCE || tried <= world.controllers.size()) {
          world.time.after(NEXT_DOOR, "next door", this::arrive);
        } else {
          again(SECOND);
        }
      }
    }

    private void again(long pause) {
      if (!over) {
        over = true;
        if (number < ATTEMPTS) {
          world.time.after(pause, "again", () -> new Attempt(wish, name, number + 1).send());
        }
      }
    }

    @Override
    public void decided(Reply reply) {
      if (reply instanceof Reply.Refused refused && refused.code() == ErrorCode.IN_STANDBY) {
        elsewhere();
      } else if (!lost()) {
        world.time.after(
            100L + random.nextInt(500),
            "answer",
            () -> {
              // An answer that comes late finds nobody.
              if (!over) {
                over = true;
                world.witness.answered(name, reply);
                wish.told().accept(reply);
              }
            });
      }
    }

    @Override
    public void failed(Throwable failure) {
      elsewhere();
    }
  }
}

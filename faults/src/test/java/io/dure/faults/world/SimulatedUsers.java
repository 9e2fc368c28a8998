package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.RequestId;
import io.dure.controller.loop.ReplyListener;
import io.dure.controller.service.StepService;
import io.dure.faults.scenario.ScenarioAct;
import io.dure.faults.step.FrontEnds;
import io.dure.faults.step.StepFrontEnd;
import io.dure.faults.step.StepObserver;
import io.dure.faults.step.StepProgram;
import io.dure.faults.step.StepSurroundings;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The people: what they ask for, again when no answer comes, and what they were told. */
final class SimulatedUsers implements StepSurroundings {
  private static final long SECOND = 1_000_000;
  private static final long PATIENCE = 30 * SECOND;
  private static final int ATTEMPTS = 4;
  private static final int QUESTIONS = 60;
  private static final int SIGKILL = 9;
  private static final int SIGUSR1 = 10;
  private static final long NEXT_DOOR = 50_000;
  private static final long NAMES = 0xD00E_0000_0000_0000L;

  /** The superuser. */
  static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);

  private final SimulatedWorld world;
  private final SplittableRandom random;
  private final TreeMap<Integer, Integer> jobs = new TreeMap<>();
  private final TreeMap<Integer, Caller.User> owners = new TreeMap<>();
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
                stays(act, id);
              } else {
                world.tell("s" + act.number() + " is refused: " + reply);
              }
            }));
  }

  /** What stays with the job after its submission: srun or salloc. */
  private void stays(ScenarioAct.Submit act, int id) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < ScenarioCommands.components(act); i++) {
      ids.add(id + i);
    }
    FrontEnds.Plan plan =
        new FrontEnds.Plan(user(act.user()), act.number(), ids, ScenarioCommands.program(act));
    owners.put(act.number(), plan.user());
    switch (ScenarioCommands.front(act)) {
      case NONE -> {}
      case SRUN -> world.fronts.srun(plan);
      case SALLOC -> world.fronts.salloc(plan, 1 + act.number() % 4);
    }
  }

  /** The calls that a script makes in its time: it says how many. */
  List<StepFrontEnd> script(Job job, String[] words) {
    int calls = Integer.parseInt(words[3]);
    if (calls == 0) {
      return List.of();
    }
    int submission = Integer.parseInt(job.spec().name().substring(1));
    UserIdentity owner = job.owner();
    Caller.User user = new Caller.User(owner, List.of("users"), false);
    StepProgram program = new StepProgram(Integer.parseInt(words[0]), 0, false);
    return world.fronts.script(
        new FrontEnds.Plan(user, submission, List.of(job.id()), program), calls);
  }

  /** Something about steps of a job. */
  void ofSteps(ScenarioAct.OfSteps act) {
    Integer job = jobs.get(act.submission());
    Caller.User owner = owners.get(act.submission());
    if (job == null || owner == null) {
      return;
    }
    switch (act) {
      case ScenarioAct.CallStep(int submission) ->
          world.fronts.call(
              new FrontEnds.Plan(
                  owner,
                  submission,
                  List.of(job),
                  new StepProgram(1 + random.nextInt(100), 0, false)));
      case ScenarioAct.AskOfStep(var kind, _) -> askOfStep(kind, job);
      case ScenarioAct.LoseFrontEnd(int submission, boolean politely) ->
          world.fronts.lose(submission, politely);
    }
  }

  /** The job, or where it has no step that runs another that has. */
  private @Nullable Job withSteps(int job) {
    ClusterState state = world.published();
    if (state == null) {
      return null;
    }
    Job meant = state.active().get(job);
    if (meant != null && !meant.runSteps().live().isEmpty()) {
      return meant;
    }
    List<Job> others =
        state.active().values().stream().filter(j -> !j.runSteps().live().isEmpty()).toList();
    return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
  }

  /** What somebody asks of a step that is there to be seen. */
  private void askOfStep(ScenarioAct.StepRequestKind kind, int about) {
    Job of = withSteps(about);
    if (of == null) {
      return;
    }
    int job = of.id();
    List<LaunchedStep> live = of.runSteps().live();
    int number = live.get(random.nextInt(live.size())).number();
    Command.UserCommand command =
        switch (kind) {
          case CANCEL -> new Command.KillStep(job, number, null);
          case SIGNAL -> new Command.KillStep(job, number, SIGUSR1);
          case KILL -> new Command.KillStep(job, number, SIGKILL);
          case LIMIT -> new Command.UpdateStep(job, number, 1 + random.nextInt(3), false);
        };
    ask(
        new Wish(
            ROOT,
            _ -> command,
            reply -> {
              if (kind == ScenarioAct.StepRequestKind.CANCEL && reply instanceof Reply.Done) {
                world.stepWitness.cancelled(job, number);
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
   * @param nobody who hears that there was none
   */
  private record Wish(
      Caller.User who,
      IntFunction<Command.UserCommand> command,
      Consumer<Reply> told,
      Runnable nobody) {

    Wish(Caller.User who, IntFunction<Command.UserCommand> command, Consumer<Reply> told) {
      this(who, command, told, () -> {});
    }

    /** The command at that attempt; submissions have a name of their own. */
    Command named(int attempt, RequestId name) {
      Command.UserCommand now = command.apply(attempt);
      return now instanceof Command.SubmitJob || now instanceof Command.SubmitHetJob
          ? now
          : new Command.Named(name.toString(), now);
    }
  }

  private void ask(Wish wish) {
    new Attempt(wish, name(), 1).send();
  }

  @Override
  public RequestId name() {
    return new RequestId(NAMES, ++wishes);
  }

  @Override
  public void change(
      Caller.User who,
      RequestId name,
      Command.UserCommand command,
      Consumer<Reply> told,
      Runnable nobody) {
    new Attempt(new Wish(who, _ -> command, told, nobody), name, 1).send();
  }

  @Override
  public void question(Function<StepService, Response> what, Consumer<@Nullable Response> told) {
    new Question(what, told, random.nextInt(world.controllers.size())).ask();
  }

  @Override
  public long micros() {
    return world.time.micros();
  }

  @Override
  public void after(long micros, String what, Runnable action) {
    world.time.after(micros, what, action);
  }

  @Override
  public void tell(String words) {
    world.tell(words);
  }

  @Override
  public void count(String what) {
    world.count(what);
  }

  @Override
  public void violate(String promise, String text) {
    world.violate(promise, text);
  }

  @Override
  public StepObserver observer() {
    return world.stepWitness;
  }

  @Override
  public Node node(String name) {
    return world.node(name);
  }

  /** Somebody asks for what changes nothing, of each controller in turn. */
  private final class Question {
    private final Function<StepService, Response> what;
    private final Consumer<@Nullable Response> told;
    private int door;
    private int tried;

    Question(Function<StepService, Response> what, Consumer<@Nullable Response> told, int door) {
      this.what = what;
      this.told = told;
      this.door = door;
    }

    void ask() {
      world.time.after(100L + random.nextInt(500), "question", this::arrive);
    }

    private void arrive() {
      SimulatedControllerHost controller = world.controllers.get(door);
      if (controller.dark() || controller.isCut() || controller.serving() == null || lost()) {
        elsewhere();
        return;
      }
      int mine = tried;
      world.time.after(PATIENCE, "patience", () -> elsewhere(mine));
      controller.later(
          0,
          "answer a question",
          () -> {
            SimulatedLeader leading = controller.serving();
            if (leading == null || mine != tried || lost()) {
              elsewhere(mine);
            } else {
              tried = QUESTIONS;
              Response response = what.apply(leading.steps());
              world.time.after(100L + random.nextInt(500), "answer", () -> told.accept(response));
            }
          });
    }

    /** If nothing has come of that attempt. */
    private void elsewhere(int attempt) {
      if (attempt == tried) {
        elsewhere();
      }
    }

    private void elsewhere() {
      door = (door + 1) % world.controllers.size();
      if (++tried >= QUESTIONS) {
        told.accept(null);
      } else {
        world.time.after(SECOND, "ask again", this::arrive);
      }
    }
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
        } else {
          wish.nobody().run();
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

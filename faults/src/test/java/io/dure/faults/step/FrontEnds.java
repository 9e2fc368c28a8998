package io.dure.faults.step;

import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.job.JobState;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** All calls of {@code srun} and {@code salloc} of a world. */
public final class FrontEnds {
  private static final long SECOND = 1_000_000;

  private final StepSurroundings world;
  private final SplittableRandom random;
  private final TreeMap<Integer, List<Session>> sessions = new TreeMap<>();

  /** None yet. */
  public FrontEnds(StepSurroundings world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /**
   * What a session of a user does.
   *
   * @param submission number of the submission of its job
   * @param jobs the job, or its components
   * @param program of its step; of an allocation, how long it is held, and how it ends
   */
  public record Plan(Caller.User user, int submission, List<Integer> jobs, StepProgram program) {}

  private void open(Session session) {
    sessions.computeIfAbsent(session.plan.submission(), _ -> new ArrayList<>()).add(session);
  }

  /** {@code srun} has submitted its job: it waits for it, and launches the steps in it. */
  public void srun(Plan plan) {
    Session session = new Session(plan);
    open(session);
    session.await(0, session::launch);
  }

  /** {@code salloc} has submitted its job: it waits for it, and runs steps in it. */
  public void salloc(Plan plan, int calls) {
    Session session = new Session(plan);
    open(session);
    session.await(0, () -> session.hold(calls));
  }

  /** {@code srun --jobid}: a step in a job that is there, asked for from anywhere. */
  public void call(Plan plan) {
    Session session = new Session(plan);
    open(session);
    long within = plan.program().seconds() * SECOND;
    session.front(plan.jobs().getFirst(), drawProgram(within)).create(draw());
  }

  /** A script on a node calls {@code srun}, so many times while it runs; its calls end with it. */
  public List<StepFrontEnd> script(Plan plan, int calls) {
    Session session = new Session(plan);
    open(session);
    return session.calls(calls, plan.program().seconds() * SECOND);
  }

  /** The processes of a submission are killed, all or those of that number. */
  public void lose(int submission, boolean politely) {
    List<Session> of = sessions.getOrDefault(submission, List.of());
    List<Session> alive = of.stream().filter(Session::isAlive).toList();
    if (!alive.isEmpty()) {
      Session one = alive.get(random.nextInt(alive.size()));
      world.count(politely ? "a front end was interrupted" : "a front end was killed");
      if (politely) {
        one.interrupt();
      } else {
        one.die();
      }
    }
  }

  /** Submissions of which a process is still there. */
  public List<Integer> waiting() {
    return sessions.entrySet().stream()
        .filter(e -> e.getValue().stream().anyMatch(Session::isAlive))
        .map(e -> e.getKey())
        .toList();
  }

  /** What a user asks of a step within a job of some nodes. */
  private StepSpec draw() {
    if (random.nextInt(20) == 0) {
      return StepSpec.of("interactive", 1)
          .with()
          .minNodes(1)
          .maxNodes(1)
          .sharing(StepSpec.Sharing.INTERACTIVE)
          .build();
    }
    int tasks = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 2 : 8);
    int shape = random.nextInt(10);
    StepSpec.Sharing sharing =
        shape < 6
            ? StepSpec.Sharing.EXACT
            : shape < 8 ? StepSpec.Sharing.OVERLAP : StepSpec.Sharing.WHOLE;
    return StepSpec.of("step", tasks)
        .with()
        .sharing(sharing)
        .minNodes(random.nextInt(8) == 0 ? 2 : 0)
        .cpusPerTask(random.nextInt(5) == 0 ? 2 : 0)
        .memoryMib(random.nextInt(4) == 0 ? (Long) (50L + random.nextInt(400)) : null)
        .gres(random.nextInt(4) == 0 ? StepProgram.gpus(1) : null)
        .timeLimitMinutes(random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0)
        .build();
  }

  private StepProgram drawProgram(long atMost) {
    int most = (int) Math.max(2, Math.min(200, atMost / SECOND));
    int seconds = random.nextInt(12) == 0 ? 5000 : 1 + random.nextInt(most);
    int exit = random.nextInt(5) == 0 ? 3 + random.nextInt(6) : 0;
    return new StepProgram(seconds, exit, random.nextInt(10) == 0);
  }

  /** What one call, or one script, has under way. */
  private final class Session {
    private final Plan plan;
    private final List<StepFrontEnd> fronts = new ArrayList<>();
    private boolean alive = true;
    private boolean holds;
    private boolean waits;

    Session(Plan plan) {
      this.plan = plan;
    }

    boolean isAlive() {
      return alive || fronts.stream().anyMatch(StepFrontEnd::isAlive);
    }

    StepFrontEnd front(int job, StepProgram program) {
      StepFrontEnd front =
          new StepFrontEnd(world, random.split(), plan.user(), job, program, this::left);
      fronts.add(front);
      return front;
    }

    /** A process of it has ended. */
    private void left() {
      if (!holds && !waits && fronts.stream().noneMatch(StepFrontEnd::isAlive)) {
        alive = false;
      }
    }

    /** Waits until its job, and all components, have what they asked for. */
    void await(int component, Runnable then) {
      if (!alive) {
        return;
      }
      waits = true;
      int job = plan.jobs().get(component);
      world.question(
          steps -> {
            try {
              return steps.awaitStart(new Request.AwaitStart(job, 0), plan.user());
            } catch (InterruptedException e) {
              throw new IllegalStateException("nothing interrupts", e);
            }
          },
          response -> {
            if (!alive) {
              return;
            }
            if (response instanceof Response.StillWaiting || response == null) {
              world.after(
                  SECOND + random.nextLong(5 * SECOND), "waits", () -> await(component, then));
            } else if (response instanceof Response.StartedJob(var started, _, _)
                && started.state() instanceof JobState.Running) {
              if (component + 1 < plan.jobs().size()) {
                await(component + 1, then);
              } else {
                waits = false;
                then.run();
              }
            } else {
              // It ended, or is suspended, which is an answer that the product takes for the end.
              cancel();
              alive = false;
            }
          });
    }

    private void cancel() {
      Command.UserCommand kill =
          new Command.KillJob(new JobSelector(plan.jobs().getFirst(), null), null, false, false);
      world.change(plan.user(), world.name(), kill, _ -> {}, () -> {});
    }

    void launch() {
      waits = false;
      for (int job : plan.jobs()) {
        front(job, plan.program());
      }
      List.copyOf(fronts).forEach(front -> front.launch(0));
    }

    void hold(int calls) {
      holds = true;
      long length = Math.min(600, plan.program().seconds()) * SECOND;
      calls(calls, length);
      world.after(length, "salloc ends", this::complete);
    }

    private void complete() {
      if (alive && holds) {
        holds = false;
        alive = false;
        fronts.forEach(StepFrontEnd::die);
        ExitStatus exit = new ExitStatus(plan.program().exit(), 0);
        world.change(
            plan.user(),
            world.name(),
            new Command.CompleteAllocation(plan.jobs().getFirst(), exit),
            _ -> {},
            () -> {});
      }
    }

    /** Steps that are asked for within a time, several at once. */
    List<StepFrontEnd> calls(int calls, long within) {
      for (int i = 0; i < calls; i++) {
        StepFrontEnd front = front(plan.jobs().getFirst(), drawProgram(within));
        StepSpec spec = draw();
        world.after(
            random.nextLong(Math.max(1, Math.min(within, 300 * SECOND))),
            "srun",
            () -> front.create(spec));
      }
      return fronts;
    }

    void die() {
      alive = false;
      holds = false;
      fronts.forEach(StepFrontEnd::die);
    }

    /** Ctrl-C: what waits gives up, what runs has its tasks ended. */
    void interrupt() {
      if (waits) {
        cancel();
        alive = false;
      } else if (holds) {
        complete();
      } else {
        fronts.forEach(StepFrontEnd::abort);
      }
    }
  }
}

package io.dure.faults.world;

import io.dure.faults.scenario.ScenarioAct;
import io.dure.faults.step.StepProgram;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.gres.GresRequest;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.model.request.JobSpec;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.model.step.HetStep;
import io.dure.model.step.StepSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The commands that people send, made from what the scenario says. */
final class ScenarioCommands {
  /** A partition whose jobs stand before all others. */
  static final String URGENT = "urgent";

  private ScenarioCommands() {}

  /**
   * A submission.
   *
   * @param after the job it waits for, null for none
   */
  static Command.SubmitJob submission(ScenarioAct.Submit act, @Nullable Integer after) {
    int calls = act.number() % 3 == 0 ? 1 + act.number() % 4 : 0;
    String script = act.seconds() + " " + act.exit() + " " + act.stubborn() + " " + calls;
    boolean batch = front(act) == Front.NONE;
    JobTexts texts = JobTexts.of(script, List.of("HOME=/home/user"));
    return new Command.SubmitJob(
        spec(act, "s" + act.number(), act.nodes(), after),
        batch ? Workload.BatchSpec.nothing("/tmp") : allocation(act, null),
        batch ? texts : JobTexts.NONE,
        "request " + act.number());
  }

  /** What stays with a job after its submission. */
  enum Front {
    NONE,
    SRUN,
    SALLOC
  }

  /** Some are calls of srun and salloc. */
  static Front front(ScenarioAct.Submit act) {
    int which = act.tasks() > 0 ? 0 : act.number() % 6;
    return which == 1 ? Front.SRUN : which == 3 ? Front.SALLOC : Front.NONE;
  }

  /** What its tasks do, or how long an allocation is held. */
  static StepProgram program(ScenarioAct.Submit act) {
    // Codes of steps are not those of failures.
    return new StepProgram(act.seconds(), act.exit() == 0 ? 0 : act.exit() + 2, act.stubborn());
  }

  /** How many components it has. */
  static int components(ScenarioAct.Submit act) {
    return isHet(act) ? 2 + act.number() % 2 : 1;
  }

  private static Workload allocation(ScenarioAct.Submit act, @Nullable HetStep het) {
    boolean survives = act.number() % 5 == 0;
    StepSpec step = StepSpec.of("srun", 0).withHet(het).withSurvivesNodes(survives);
    return new Workload.InteractiveAllocation(
        "/tmp", "srun", "login", 1, front(act) == Front.SRUN ? step : null);
  }

  /** Whether the submission is of a heterogeneous job; its components follow from its number. */
  private static boolean isHet(ScenarioAct.Submit act) {
    return act.tasks() == 0 && act.number() % 9 == 4;
  }

  /**
   * What is sent: some submissions are of heterogeneous jobs.
   *
   * @param after the job it waits for, null for none
   */
  static Command.UserCommand command(ScenarioAct.Submit act, @Nullable Integer after) {
    Command.SubmitJob one = submission(act, after);
    if (!isHet(act)) {
      return one;
    }
    List<Command.Component> components = new ArrayList<>();
    boolean batch = front(act) == Front.NONE;
    int all = components(act);
    int tasks = act.nodes() + all - 1;
    for (int i = 0; i < all; i++) {
      JobSpec spec = i == 0 ? one.spec() : spec(act, one.spec().name() + "+" + i, 1, after);
      HetStep part = new HetStep(i == 0 ? 0 : act.nodes() + i - 1, tasks, all);
      components.add(new Command.Component(spec, batch ? one.workload() : allocation(act, part)));
    }
    return new Command.SubmitHetJob(List.copyOf(components), one.texts(), one.requestId());
  }

  /** Some are in the partition for which others may have to make room. */
  private static List<String> partitions(ScenarioAct.Submit act) {
    return act.number() % 5 == 2 ? List.of(URGENT) : List.of();
  }

  private static JobSpec spec(
      ScenarioAct.Submit act, String name, int nodes, @Nullable Integer after) {
    GresRequest gpus = act.number() % 4 == 1 ? StepProgram.gpus(1 + act.number() % 3) : null;
    ResourceRequest resources =
        ResourceRequest.of(nodes, nodes, act.cores()).with().gres(gpus).build();
    DependencyList dependency =
        after == null
            ? DependencyList.NONE
            : new DependencyList(
                List.of(new Dependency(DependencyType.AFTER_ANY, after, null, 0)), false);
    return JobSpec.of(name, partitions(act), resources, TimeLimit.minutes(act.limitMinutes()))
        .with()
        .dependency(dependency)
        .arrayTasks(act.tasks() > 0 ? new ArrayRequest("0-" + (act.tasks() - 1)) : null)
        .requeue(act.requeue() ? RequeuePolicy.YES : RequeuePolicy.NO)
        .survivesNodes(act.number() % 5 < 2)
        .build();
  }

  /** What somebody asks of a job. */
  static Command.UserCommand request(
      ScenarioAct.JobRequestKind ask, int job, SplittableRandom random) {
    JobSelector which = new JobSelector(job, null);
    return switch (ask) {
      case CANCEL -> new Command.KillJob(which, null, false, false);
      case HOLD -> new Command.HoldJob(which, false);
      case RELEASE -> new Command.ReleaseJob(which);
      case REQUEUE -> new Command.RequeueJob(which, false, false, false);
      case LIMIT ->
          new Command.UpdateJob(which, change(TimeLimit.minutes(1 + random.nextInt(20)), null));
      case SUSPEND -> new Command.SuspendJob(which);
      case RESUME -> new Command.ResumeJob(which);
      case SHRINK -> new Command.UpdateJob(which, toNodes(1 + random.nextInt(3)));
      case NICE -> new Command.UpdateJob(which, change(null, (long) random.nextInt(100)));
    };
  }

  private static JobChange toNodes(int count) {
    JobChange.ResourceChange shape =
        JobChange.ResourceChange.NONE.with().minNodes(count).maxNodes(count).build();
    return JobChange.NONE.withShape(shape);
  }

  private static JobChange change(@Nullable TimeLimit limit, @Nullable Long nice) {
    return JobChange.NONE.with().timeLimit(limit).nice(nice).build();
  }
}

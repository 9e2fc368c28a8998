package io.dure.faults.world;

import io.dure.faults.scenario.ScenarioAct;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
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
    String script = act.seconds() + " " + act.exit() + " " + act.stubborn();
    JobTexts texts = JobTexts.of(script, List.of("HOME=/home/user"));
    return new Command.SubmitJob(
        spec(act, "s" + act.number(), act.nodes(), after),
        Workload.BatchSpec.nothing("/tmp"),
        texts,
        "request " + act.number());
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
    components.add(new Command.Component(one.spec(), one.workload()));
    for (int i = 1; i <= 1 + act.number() % 2; i++) {
      String name = one.spec().name() + "+" + i;
      components.add(new Command.Component(spec(act, name, 1, after), one.workload()));
    }
    return new Command.SubmitHetJob(List.copyOf(components), one.texts(), one.requestId());
  }

  /** Some are in the partition for which others may have to make room. */
  private static List<String> partitions(ScenarioAct.Submit act) {
    return act.number() % 5 == 2 ? List.of(URGENT) : List.of();
  }

  private static JobSpec spec(
      ScenarioAct.Submit act, String name, int nodes, @Nullable Integer after) {
    ResourceRequest resources = ResourceRequest.of(nodes, nodes, act.cores());
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
      case NICE -> new Command.UpdateJob(which, change(null, (long) random.nextInt(100)));
    };
  }

  private static JobChange change(@Nullable TimeLimit limit, @Nullable Long nice) {
    return JobChange.NONE.with().timeLimit(limit).nice(nice).build();
  }
}

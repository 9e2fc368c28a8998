package io.dure.testkit.cluster;

import static io.dure.testkit.cluster.TestCluster.ALICE;

import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.Workload;
import io.dure.model.step.StepSpec;
import org.jspecify.annotations.Nullable;

/**
 * What a user does with allocations and numbered steps on a cluster, and what nodes say of them.
 */
public final class StepCommands {
  private final TestCluster cluster;

  /** On that cluster. */
  public StepCommands(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** An allocation of Alice's, with a first step where it is one of srun; gives its id. */
  public int allocate(JobBuilder job, @Nullable StepSpec first) {
    Workload allocation = new Workload.InteractiveAllocation("/", "srun true", "login", 1, first);
    Reply reply = cluster.ask(ALICE, new Command.SubmitJob(job.spec(), allocation, JobTexts.NONE));
    return cast(Reply.Submitted.class, reply).jobId();
  }

  /** Another step of a job of Alice's; gives its number. */
  public int step(int job, StepSpec spec) {
    return cast(Reply.StepCreated.class, cluster.ask(ALICE, new Command.CreateStep(job, spec)))
        .step();
  }

  /** The node says that its part of a step has ended. */
  public void ends(String node, int job, int step, StepEnd end) {
    cluster.message(node, new Command.StepPartEnded(job, cluster.job(job).run(), step, end));
  }

  /** The end of a program that left by itself. */
  public static StepEnd exit(int code) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false);
  }

  /** How a job that is over has ended. */
  public JobOutcome outcome(int job) {
    return cast(JobState.Ended.class, cluster.job(job).state()).outcome();
  }

  private static <T> T cast(Class<T> wanted, Object what) {
    if (!wanted.isInstance(what)) {
      throw new AssertionError("not " + wanted.getSimpleName() + ": " + what);
    }
    return wanted.cast(what);
  }
}

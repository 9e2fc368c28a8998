package io.dure.core.explain;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Command;
import io.dure.core.history.Run;
import io.dure.core.history.RunKind;
import io.dure.core.model.Job;
import io.dure.core.model.TimeLimit;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.policy.Prediction;
import io.dure.core.scheduler.policy.Predictor;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may go wrong with a job that asks for what a remedy says. */
public sealed interface Caution {

  /**
   * Jobs like it ran for longer than that limit.
   *
   * @param longer how many
   * @param runs of how many
   */
  record RanLonger(int longer, int runs) implements Caution {
    static final String TAG = "RanLonger";
  }

  /**
   * It is expected to run for longer than that limit.
   *
   * @param expected for how long
   */
  record RunsLonger(Duration expected) implements Caution {
    static final String TAG = "RunsLonger";
  }

  /** How long it runs nobody knows: with that limit it is ended then. */
  record RunUnknown() implements Caution {
    static final String TAG = "RunUnknown";
  }

  /** How much memory it uses nobody knows: with less it is ended when it uses more. */
  record MemoryUnknown() implements Caution {
    static final String TAG = "MemoryUnknown";
  }

  /** It would start before those are over that it waits for. */
  record Unordered() implements Caution {
    static final String TAG = "Unordered";
  }

  /** It may take longer with so little, and its limit stays. */
  record Slower() implements Caution {
    static final String TAG = "Slower";
  }

  /** What may go wrong with a remedy, null for nothing in particular. */
  static @Nullable Caution of(Question question, Remedy remedy) {
    return switch (remedy.kind()) {
      case SHORTER -> ofLimit(question, remedy);
      case LESS_MEMORY -> new MemoryUnknown();
      case NO_DEPENDENCY -> new Unordered();
      case FEWER_CPUS_PER_TASK, FEWER_TASKS, FEWER_NODES, FEWER_GPUS -> new Slower();
      case RELEASE,
          BEGIN_NOW,
          MORE_TASKS_AT_ONCE,
          OTHER_PARTITION,
          OTHER_QOS,
          NO_NODE_LIST,
          NO_EXCLUDED_NODES,
          NOT_CONTIGUOUS,
          NOT_EXCLUSIVE,
          OTHER_GPU_TYPE,
          ANY_GPU_TYPE,
          NO_FEATURES,
          NO_LICENCES,
          NO_RESERVATION ->
          null;
    };
  }

  private static @Nullable Caution ofLimit(Question question, Remedy remedy) {
    Job job = question.job();
    Duration asked =
        remedy.change() instanceof Command.UpdateJob(_, var change)
                && change.timeLimit() instanceof TimeLimit.Limited(Duration shorter)
            ? shorter
            : null;
    PartitionConfig partition = question.state().partition(job.spec().partitions().getFirst());
    if (asked == null || partition == null) {
      return null;
    }
    long limit = Times.seconds(asked);
    long now = Times.seconds(PartitionRules.runTime(partition, job.spec()));
    List<Run> alike = question.state().runs().of(job.owner().uid()).of(RunKind.of(job.spec(), now));
    int longer = (int) alike.stream().filter(run -> run.seconds() > limit).count();
    if (longer > 0) {
      return new RanLonger(longer, alike.size());
    }
    Prediction prediction = new Predictor(question.state().runs()).of(job, partition);
    return switch (prediction.basis()) {
      case KIND -> null;
      case USER, CLUSTER ->
          prediction.seconds() > limit
              ? new RunsLonger(Duration.ofSeconds((long) prediction.seconds()))
              : new RunUnknown();
      case LIMIT -> new RunUnknown();
    };
  }
}

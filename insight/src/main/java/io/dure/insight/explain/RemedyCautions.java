package io.dure.insight.explain;

import io.dure.model.command.Command;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.report.RemedyCaution;
import io.dure.model.report.RunTimePrediction;
import io.dure.model.report.StartRemedy;
import io.dure.model.request.TimeLimit;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.queueorder.RunTimePredictor;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may go wrong with a job that asks for what a remedy says, from what ran before. */
final class RemedyCautions {
  private RemedyCautions() {}

  /** What may go wrong with a remedy, null for nothing in particular. */
  static @Nullable RemedyCaution of(ExplanationQuery question, StartRemedy remedy) {
    return switch (remedy.kind()) {
      case SHORTER -> ofLimit(question, remedy);
      case LESS_MEMORY -> new RemedyCaution.MemoryUnknown();
      case NO_DEPENDENCY -> new RemedyCaution.Unordered();
      case FEWER_CPUS_PER_TASK, FEWER_TASKS, FEWER_NODES, FEWER_GPUS -> new RemedyCaution.Slower();
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

  private static @Nullable RemedyCaution ofLimit(ExplanationQuery question, StartRemedy remedy) {
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
    long limit = PlannerTime.seconds(asked);
    long now = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
    List<RecordedRun> alike =
        question.state().runs().of(job.owner().uid()).of(SimilarRunKey.of(job.spec(), now));
    int longer = (int) alike.stream().filter(run -> run.seconds() > limit).count();
    if (longer > 0) {
      return new RemedyCaution.RanLonger(longer, alike.size());
    }
    RunTimePrediction prediction = new RunTimePredictor(question.state().runs()).of(job, partition);
    return switch (prediction.basis()) {
      case KIND -> null;
      case USER, CLUSTER ->
          prediction.seconds() > limit
              ? new RemedyCaution.RunsLonger(Duration.ofSeconds((long) prediction.seconds()))
              : new RemedyCaution.RunUnknown();
      case LIMIT -> new RemedyCaution.RunUnknown();
    };
  }
}

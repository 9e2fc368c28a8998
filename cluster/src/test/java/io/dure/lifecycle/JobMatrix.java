package io.dure.lifecycle;

import io.dure.cluster.ClusterState;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.Words;
import java.util.List;

/** Every state of a job with everything that can be said about it. */
final class JobMatrix {
  private JobMatrix() {}

  static Matrix of(List<Scene> scenes) {
    Matrix matrix = new Matrix();
    for (Scene scene : scenes) {
      ClusterState state = scene.cluster().state();
      matrix.title(scene.name() + ": " + describe(state, scene.jobId()));
      for (JobCommands.Try one : JobCommands.of(scene)) {
        matrix.line(
            one.name(),
            state,
            one.command(),
            one.caller(),
            scene.cluster().now().plus(one.after()),
            after -> describe(after, scene.jobId()));
      }
    }
    return matrix;
  }

  private static String describe(ClusterState state, int jobId) {
    Job job = state.job(jobId);
    if (job == null) {
      return "none";
    }
    return switch (job.state()) {
      case JobState.Pending p ->
          "Pending"
              + hold(p.hold())
              + (p.waitingFor().isEmpty() ? "" : " waits " + p.waitingFor().size())
              + (p.dependencyFailed() ? " failed" : "")
              + (p.requeued() ? " requeued" : "")
              + (job.eligibleTime() == null ? "" : " eligible");
      case JobState.Running r ->
          "Running"
              + (r.launched() ? " launched" : "")
              + (r.configuring() ? " configuring" : "")
              + (r.warned() ? " warned" : "")
              + (r.pauses() == null ? "" : " resumed")
              + (r.notice() == null ? "" : " noticed")
              + hold(r.hold());
      case JobState.Suspended s -> "Suspended by " + s.cause() + hold(s.run().hold());
      case JobState.Completing c ->
          "Completing "
              + outcome(c.outcome())
              + " then "
              + c.afterwards()
              + hold(c.hold())
              + (c.epilog() ? " epilog" : "");
      case JobState.Ended e -> "Ended " + outcome(e.outcome());
    };
  }

  private static String hold(Hold hold) {
    return hold == Hold.NONE ? "" : " held(" + hold + ")";
  }

  private static String outcome(JobOutcome outcome) {
    return Words.outcome(outcome) + " " + outcome.exit().text();
  }
}

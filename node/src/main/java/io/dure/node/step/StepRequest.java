package io.dure.node.step;

import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;

/**
 * A step that a front end wants started here, with a credential that allows it.
 *
 * @param connection the front end
 * @param credential what the controller has signed
 * @param share what the step has on this node
 * @param index the node's place among the step's
 * @param order what to run
 */
public record StepRequest(
    Spawner.StepConnection connection,
    StepCredential credential,
    StepShare share,
    int index,
    StepLaunchOrder order) {
  /** The job. */
  public Job job() {
    return credential.job();
  }

  /** The step. */
  public LaunchedStep step() {
    return credential.step();
  }
}

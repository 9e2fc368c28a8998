package io.dure.protocol;

import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import java.time.Instant;

/**
 * What a controller vouches for with its signature: that the nodes of a step may start it.
 *
 * @param clusterName name of the cluster
 * @param job the job in state Running, without texts; the step is not among its own
 * @param step the step
 * @param issued when it was signed
 * @param expires from when on nothing may be started by it
 */
public record StepCredential(
    String clusterName, Job job, LaunchedStep step, Instant issued, Instant expires) {}

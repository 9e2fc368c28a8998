package io.dure.model.report;

import java.time.Instant;

/**
 * What there is to say of a job at one time.
 *
 * @param cluster the cluster's name
 * @param now the time
 * @param subject the job
 * @param story what it does, and if it waits, why
 */
public record JobExplanation(
    String cluster, Instant now, ExplainedJob subject, JobSituation story) {}

package io.dure.cli.sbatch;

import io.dure.model.command.Command;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.surface.message.StderrMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch job ready to be sent, and what the command does around it.
 *
 * @param spec what is asked for
 * @param batch what is run
 * @param runAs name or number of the user that the job is submitted for, and behind a colon of the
 *     group; null for the caller
 * @param testOnly whether only the expected start is asked for
 * @param await whether the command waits for the job's end
 * @param parsable whether only the job's number is printed
 * @param quiet whether nothing but errors is printed
 * @param verbosity how often {@code -v} was given
 * @param cluster the cluster that was named, null for the one at hand
 * @param warnings what to tell the user before the job is sent
 * @param texts script and environment of the batch
 * @param components all components of a heterogeneous job, of which {@code spec} and {@code batch}
 *     are the first; empty for any other job
 */
public record JobSubmission(
    JobSpec spec,
    Workload.BatchSpec batch,
    @Nullable String runAs,
    boolean testOnly,
    boolean await,
    boolean parsable,
    boolean quiet,
    int verbosity,
    @Nullable String cluster,
    List<StderrMessage> warnings,
    JobTexts texts,
    List<Command.Component> components) {}

package io.dure.protocol.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step as it was recorded.
 *
 * @param step its number, as {@link io.dure.model.step.StepName} has it
 * @param exit how it ended, or has ended so far
 * @param end when, null if that is not known
 * @param nodes its nodes, as a host list
 * @param tasks how many tasks it had
 * @param launched what it asked for and had, null for {@code batch} and {@code extern}
 * @param used what it used, null where that is not known
 */
public record RecordedStep(
    int step,
    ExitStatus exit,
    Instant start,
    @Nullable Instant end,
    String nodes,
    int tasks,
    @Nullable LaunchedStep launched,
    @Nullable StepConsumption used) {}

package io.dure.surface.json;

import io.dure.model.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * An error or a warning that a document tells of.
 *
 * @param description what went wrong here, for people
 * @param code Slurm's error, null for a warning
 * @param source what found it
 */
public record DocumentProblem(String description, @Nullable ErrorCode code, String source) {}

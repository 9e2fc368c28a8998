package io.dure.surface.submission;

import io.dure.model.command.Command;
import io.dure.surface.json.DocumentProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A submission that a document asks for.
 *
 * @param command that the controller takes
 * @param runAs name or number of the user that the job is for, and behind a colon of the group;
 *     null for the caller
 * @param clusters that may get the job, null where none is named
 * @param warnings what in the document has no effect
 */
public record DescribedSubmission(
    Command.UserCommand command,
    @Nullable String runAs,
    @Nullable String clusters,
    List<DocumentProblem> warnings) {}

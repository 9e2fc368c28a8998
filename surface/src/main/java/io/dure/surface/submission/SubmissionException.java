package io.dure.surface.submission;

import io.dure.model.ErrorCode;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.stream.Collectors;

/** A document asks for a job that there cannot be. */
public final class SubmissionException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient DocumentProblem problem;

  SubmissionException(String description, ErrorCode code, String source) {
    super(description);
    problem = new DocumentProblem(description, code, source);
  }

  /** What {@code sbatch} would have said of the option that a member means. */
  SubmissionException(CommandException refused, String source) {
    this(
        refused.messages().stream().map(StderrMessage::text).collect(Collectors.joining(" ")),
        ErrorCode.DATA_CONV_FAILED,
        source);
  }

  /** What the answer says. */
  public DocumentProblem problem() {
    return problem;
  }
}

package io.dure.surface.submission;

import io.dure.surface.json.DocumentProblem;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets the options that the members of one job's description mean. One thread. */
final class DescribedOptions {
  private final SbatchSettings settings;
  private final List<DocumentProblem> warnings;
  private final String place;

  /**
   * Options of a job.
   *
   * @param place of the description in the document
   */
  DescribedOptions(SbatchSettings settings, List<DocumentProblem> warnings, String place) {
    this.settings = settings;
    this.warnings = warnings;
    this.place = place;
  }

  /** Where a member stands. */
  String place(String member) {
    return place + "/" + member;
  }

  void set(SbatchOption option, String member, @Nullable String value) throws SubmissionException {
    try {
      settings.set(option, member, value, SbatchSettings.Source.COMMAND_LINE);
    } catch (CommandException e) {
      throw new SubmissionException(e, place(member));
    }
  }

  /** Says that a member changes nothing. */
  void ignored(String member, String why) {
    warnings.add(new DocumentProblem("Ignoring " + member + ": " + why, null, place(member)));
  }
}

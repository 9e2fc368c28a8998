package io.dure.surface.submission;

import io.dure.surface.body.DocumentValue;

/** What a member of {@code job_desc_msg} means to {@code sbatch}. */
@FunctionalInterface
interface JobMember {

  /**
   * Sets the options that it means.
   *
   * @param name of the member
   */
  void set(DescribedOptions options, String name, DocumentValue value) throws SubmissionException;
}

package io.dure.protocol.accounting;

import io.dure.model.jobtext.TextId;
import io.dure.model.request.Workload;

/**
 * A text of a batch job as it was recorded.
 *
 * @param id as the jobs that have it name it
 */
public record RecordedText(TextId id, String text) {

  /** Which text of a job. */
  public enum Kind {
    /** The script. */
    SCRIPT,
    /** The environment, as the user had it. */
    ENVIRONMENT;

    /** The name of such a text of a job. */
    public TextId of(Workload workload) {
      return switch (this) {
        case SCRIPT -> workload.script();
        case ENVIRONMENT -> workload.environment();
      };
    }
  }
}

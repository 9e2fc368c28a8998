package io.dure.cli.scancel;

import io.dure.surface.value.JobReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants cancelled or signalled.
 *
 * @param jobs the jobs named, in order
 * @param filter which of them, or of all jobs where none is named
 * @param signal the signal to send, null to cancel
 * @param batch signal the batch shell alone
 * @param full signal the batch shell and all else
 * @param interactive ask before each job
 * @param verbosity -1 for quiet, 0 for normal, more for more words
 * @param clusters the argument of {@code --clusters}, null if not given
 */
record ScancelRequest(
    List<JobReference> jobs,
    ScancelFilter filter,
    @Nullable Integer signal,
    boolean batch,
    boolean full,
    boolean interactive,
    int verbosity,
    @Nullable String clusters) {

  /** Whether jobs must be looked at before anything is done. */
  boolean needsRecords() {
    return interactive || signal != null || filter.isSet();
  }
}

package io.dure.model.accounting.record;

import io.dure.model.ExitStatus;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is put right in the record of a job; null components stay as they are.
 *
 * @param comment the user's text; empty for none
 * @param adminComment an operator's text; empty for none
 * @param derivedExit how the job ended in somebody's judgment, instead of the worst end of its
 *     steps
 * @param wckey workload key that accounting sums by; empty for none
 */
@RecordBuilder
public record JobCorrection(
    @Nullable String comment,
    @Nullable String adminComment,
    @Nullable ExitStatus derivedExit,
    @Nullable String wckey)
    implements JobCorrectionBuilder.With {

  /** Whether it is about what a job was, which is known once it is over. */
  public boolean isOfPast() {
    return derivedExit != null || wckey != null;
  }

  /** Whether operators alone may make it; owners and coordinators may make the others. */
  public boolean isOfOperators() {
    return adminComment != null || wckey != null;
  }

  /** The job with all that is put right. */
  public Job of(Job job) {
    JobSpec spec = job.spec();
    JobSpec next =
        spec.with()
            .comment(comment == null ? spec.comment() : orNull(comment))
            .adminComment(adminComment == null ? spec.adminComment() : orNull(adminComment))
            .wckey(wckey == null ? spec.wckey() : orNull(wckey))
            .build();
    Job changed = job.withSpec(next, job.priority());
    return derivedExit == null
        ? changed
        : changed.withLaunched(job.runSteps().withHighest(derivedExit));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** What the log of changes has of it. */
  public String text() {
    List<String> all = new ArrayList<>();
    add(all, "admin_comment", adminComment);
    add(all, "comment", comment);
    add(all, "derived_ec", derivedExit == null ? null : derivedExit.text());
    add(all, "wckey", wckey);
    return String.join(", ", all);
  }

  private static void add(List<String> all, String key, @Nullable String value) {
    if (value != null) {
      all.add(key + "='" + value + "'");
    }
  }
}

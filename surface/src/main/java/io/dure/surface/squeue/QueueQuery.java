package io.dure.surface.squeue;

import io.dure.protocol.JobCriteria;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.value.JobReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call of the listing asks for.
 *
 * @param filter which jobs
 * @param user the only owner whose jobs are wanted, by name; null where there may be others
 * @param rows how jobs become rows
 * @param view what is printed of them
 * @param style how values are written
 * @param everySeconds time between two listings, null for one only
 * @param clusters names of clusters asked for, null for none
 */
public record QueueQuery(
    SqueueFilter filter,
    @Nullable String user,
    Rows rows,
    View view,
    Style style,
    @Nullable Integer everySeconds,
    @Nullable List<String> clusters) {

  /** The states of jobs that are not over: those that are listed where none are named, in order. */
  static final List<SlurmJobState> USUAL_STATES =
      List.of(
          SlurmJobState.PENDING,
          SlurmJobState.RUNNING,
          SlurmJobState.SUSPENDED,
          SlurmJobState.COMPLETING,
          SlurmJobState.STAGE_OUT);

  /**
   * What the controller need not send more than; null for all that {@code user} and the ended say.
   */
  public @Nullable JobCriteria beyondUser() {
    JobCriteria criteria = filter.matcher().criteria();
    List<String> usual = USUAL_STATES.stream().map(Enum::name).toList();
    criteria = user == null ? criteria : criteria.withUsers(null);
    criteria = usual.equals(criteria.states()) ? criteria.withStates(null) : criteria;
    return criteria.equals(JobCriteria.ALL) ? null : criteria;
  }

  /**
   * How jobs become rows.
   *
   * @param perTask whether each task of an array that waits has its own
   * @param perPartition whether a job that waits for several partitions has one for each
   * @param sort letters of the columns to sort by, null for the usual order
   */
  public record Rows(boolean perTask, boolean perPartition, @Nullable String sort) {}

  /**
   * What is printed.
   *
   * @param kind table of jobs or of their steps
   * @param header whether the table has a header
   * @param date whether a line with the date comes first
   * @param letters format by letters, null where there is none
   * @param names format by names, null where there is none
   * @param document how a document is written, null where there is a table
   * @param steps the steps that are listed, empty for all
   */
  public record View(
      Kind kind,
      boolean header,
      boolean date,
      @Nullable String letters,
      @Nullable String names,
      @Nullable DocumentFormat document,
      List<JobReference> steps) {
    /** Whether a step is to be listed. */
    public boolean lists(StepRow row) {
      return steps.isEmpty() || steps.stream().anyMatch(one -> isMeant(one, row));
    }

    private static boolean isMeant(JobReference one, StepRow row) {
      String step = one.step();
      int base = one.jobId();
      return (row.job().job().id() == base || row.job().job().baseId() == base)
          && (step == null || step.equals(row.step().name().text()));
    }
  }

  /** What the listing is. */
  public enum Kind {
    TABLE,
    STEPS
  }

  /**
   * How values are written.
   *
   * @param plainUnits whether amounts keep their unit
   * @param expandPatterns whether patterns in paths are filled in
   * @param taskListLimit the most characters of a list of array tasks
   */
  public record Style(boolean plainUnits, boolean expandPatterns, int taskListLimit) {}
}

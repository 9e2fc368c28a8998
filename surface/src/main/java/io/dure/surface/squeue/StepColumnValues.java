package io.dure.surface.squeue;

import io.dure.model.HostList;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.print.ColumnValueSource;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.show.StepTimeLimit;

/** Values of the step listing's columns. */
public record StepColumnValues(JobColumnValues jobs)
    implements ColumnValueSource<StepColumn, StepRow> {

  @Override
  public String value(StepColumn column, StepRow row) {
    JobDetails job = row.job();
    return switch (column) {
      case STEP_ID -> {
        boolean het = job.job().het() != null;
        yield jobs.value(het ? JobColumn.JOB_ID : JobColumn.JOB_ARRAY_ID, job)
            + '.'
            + row.step().name().text();
      }
      case NAME -> row.name();
      case NUM_TASKS -> Integer.toString(row.step().tasks());
      case NUM_CPUS -> Integer.toString(row.cpus());
      case TRES_PER_NODE -> "N/A";
      case TIME_LIMIT -> StepTimeLimit.compact(row.launched());
      case STATE -> job.status().name();
      case NODES -> HostList.compress(row.step().nodes());
      case TIME_USED -> ElapsedTimeFormat.compact(row.elapsedSeconds());
      case START_TIME -> jobs.time(row.start());
      case PARTITION -> jobs.value(JobColumn.PARTITION, job);
      case USER_NAME -> jobs.value(JobColumn.USER_NAME, job);
      case USER_ID -> jobs.value(JobColumn.USER_ID, job);
      case JOB_ID -> jobs.value(JobColumn.JOB_ID, job);
      case ARRAY_JOB_ID -> jobs.value(JobColumn.ARRAY_JOB_ID, job);
      case ARRAY_TASK_ID -> jobs.value(JobColumn.ARRAY_TASK_ID, job);
    };
  }
}

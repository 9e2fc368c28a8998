package io.dure.surface.squeue;

import io.dure.model.job.Allocation;
import io.dure.model.step.Step;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.print.ColumnValueSource;
import io.dure.surface.print.ElapsedTimeFormat;

/** Values of the step listing's columns: each running job's batch step. */
public record StepColumnValues(JobColumnValues jobs)
    implements ColumnValueSource<StepColumn, JobDetails> {

  private static final String NAME = Step.BATCH.text();

  @Override
  public String value(StepColumn column, JobDetails row) {
    return switch (column) {
      case STEP_ID -> {
        boolean het = row.job().het() != null;
        yield jobs.value(het ? JobColumn.JOB_ID : JobColumn.JOB_ARRAY_ID, row) + '.' + NAME;
      }
      case NAME -> NAME;
      case NUM_TASKS -> "1";
      case NUM_CPUS -> Integer.toString(row.cpus());
      case TRES_PER_NODE -> "N/A";
      case TIME_LIMIT -> ElapsedTimeFormat.UNLIMITED;
      case STATE -> row.status().name();
      case NODES -> {
        Allocation allocation = row.allocation();
        yield allocation == null ? "" : allocation.batchHost();
      }
      case TIME_USED -> jobs.value(JobColumn.TIME_USED, row);
      case PARTITION -> jobs.value(JobColumn.PARTITION, row);
      case START_TIME -> jobs.value(JobColumn.START_TIME, row);
      case USER_NAME -> jobs.value(JobColumn.USER_NAME, row);
      case USER_ID -> jobs.value(JobColumn.USER_ID, row);
      case JOB_ID -> jobs.value(JobColumn.JOB_ID, row);
      case ARRAY_JOB_ID -> jobs.value(JobColumn.ARRAY_JOB_ID, row);
      case ARRAY_TASK_ID -> jobs.value(JobColumn.ARRAY_TASK_ID, row);
    };
  }
}

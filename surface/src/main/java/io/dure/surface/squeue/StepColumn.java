package io.dure.surface.squeue;

import io.dure.surface.print.TableColumn;
import java.util.List;

/** The columns of the step listing. */
public enum StepColumn implements TableColumn {
  TRES_PER_NODE('b', "tres-per-node", "TRES_PER_JOB"),
  STEP_ID('i', "StepID", "STEPID"),
  NAME('j', "StepName", "NAME"),
  TIME_LIMIT('l', "TimeLimit", "TIME_LIMIT"),
  USER_NAME('u', "UserName", "USER"),
  NUM_TASKS('A', "NumTasks", "TASKS"),
  TIME_USED('M', "TimeUsed", "TIME"),
  NODES('N', "Nodes", "NODELIST"),
  PARTITION('P', "Partition", "PARTITION"),
  START_TIME('S', "StartTime", "START_TIME"),
  USER_ID('U', "UserID", "UID"),
  STATE(NO_LETTER, "StepState", "STATE"),
  ARRAY_JOB_ID(NO_LETTER, "ArrayJobID", "ARRAY_JOB_ID"),
  ARRAY_TASK_ID(NO_LETTER, "ArrayTaskID", "ARRAY_TASK_ID"),
  JOB_ID(NO_LETTER, "JobID", "JOBID"),
  NUM_CPUS(NO_LETTER, "NumCPUs", "CPUS");

  private static final List<StepColumn> ALL = List.of(values());

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final Names names;

  StepColumn(char letter, String longName, String header) {
    names = new Names(letter, longName, header);
  }

  /** All columns in order. */
  public static List<StepColumn> all() {
    return ALL;
  }

  @Override
  public Names names() {
    return names;
  }
}

package io.dure.model.report;

import io.dure.model.command.Command;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What would let a job start sooner; it was tried.
 *
 * @param kind what it is
 * @param from what the job has or asks for now, as people type it; empty where that says nothing
 * @param to what it would ask for
 * @param option as {@code sbatch} takes it, empty where it has no such option
 * @param update as {@code scontrol} takes it, without the program's name
 * @param change the change
 * @param start when the job starts then
 * @param now whether that is at once
 * @param caution what may go wrong then, null for nothing in particular
 */
public record StartRemedy(
    Kind kind,
    String from,
    String to,
    String option,
    String update,
    Command.UserCommand change,
    Instant start,
    boolean now,
    @Nullable RemedyCaution caution) {

  /** What can be done, what costs least first. */
  public enum Kind {
    RELEASE,
    BEGIN_NOW,
    NO_DEPENDENCY,
    MORE_TASKS_AT_ONCE,
    OTHER_PARTITION,
    OTHER_QOS,
    NO_NODE_LIST,
    NO_EXCLUDED_NODES,
    NOT_CONTIGUOUS,
    NOT_EXCLUSIVE,
    SHORTER,
    LESS_MEMORY,
    OTHER_GPU_TYPE,
    ANY_GPU_TYPE,
    FEWER_CPUS_PER_TASK,
    FEWER_TASKS,
    FEWER_NODES,
    FEWER_GPUS,
    NO_FEATURES,
    NO_LICENCES,
    NO_RESERVATION
  }

  public StartRemedy at(Instant when, boolean atOnce, @Nullable RemedyCaution warning) {
    return new StartRemedy(kind, from, to, option, update, change, when, atOnce, warning);
  }
}

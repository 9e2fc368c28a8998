package io.dure.surface.squeue;

import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.TableColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of the rows: by the letters of columns, the first one first. Rows that are equal in all
 * of them stay as they were.
 */
public final class JobRowOrder implements Comparator<JobDetails> {

  /**
   * One column to sort by.
   *
   * @param sign 1 to rise, -1 to fall
   */
  private record Key(JobColumn column, int sign) {}

  private final List<Key> keys;
  private final JobColumnValues values;

  private JobRowOrder(List<Key> keys, JobColumnValues values) {
    this.keys = keys;
    this.values = values;
  }

  /**
   * Reads {@code P,t,-p}.
   *
   * @throws CommandException for a letter that names no column
   */
  public static JobRowOrder parse(String text, JobColumnValues values) throws CommandException {
    List<Key> keys = new ArrayList<>();
    int sign = 1;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case ',', ' ' -> sign = 1;
        case '+' -> sign = 1;
        case '-' -> sign = -1;
        default -> {
          keys.add(new Key(column(letter), sign));
          sign = 1;
        }
      }
    }
    return new JobRowOrder(keys, values);
  }

  private static JobColumn column(char letter) throws CommandException {
    JobColumn column = TableColumn.byLetter(letter, JobColumn.all());
    if (column == null) {
      throw CommandException.error("Invalid sort specification: " + letter);
    }
    return column;
  }

  @Override
  public int compare(JobDetails left, JobDetails right) {
    for (Key key : keys) {
      int difference = compare(key.column(), left, right);
      if (difference != 0) {
        return difference * key.sign();
      }
    }
    return 0;
  }

  private int compare(JobColumn column, JobDetails left, JobDetails right) {
    return switch (column) {
      case PARTITION -> left.partition().compareTo(right.partition());
      case STATE, STATE_COMPACT -> left.status().compareTo(right.status());
      case JOB_ARRAY_ID -> ids(left, right);
      case PRIORITY, PRIORITY_LONG -> Long.compare(left.job().priority(), right.job().priority());
      case JOB_ID -> Integer.compare(left.job().id(), right.job().id());
      case CPUS -> Integer.compare(left.cpus(), right.cpus());
      case NODES -> Integer.compare(left.nodeCount(), right.nodeCount());
      case START_TIME -> moments(left.start(), right.start());
      case END_TIME -> moments(left.end(), right.end());
      case SUBMIT_TIME -> left.job().submitTime().compareTo(right.job().submitTime());
      case TIME_USED -> Long.compare(left.elapsedSeconds(), right.elapsedSeconds());
      case TIME_LIMIT -> Long.compare(limit(left), limit(right));
      case TIME_LEFT -> Long.compare(left(left), left(right));
      case MIN_MEMORY -> Long.compare(left.memoryMib(), right.memoryMib());
      case NICE -> Long.compare(left.spec().nice(), right.spec().nice());
      case USER_ID -> Integer.compareUnsigned(left.job().owner().uid(), right.job().owner().uid());
      case GROUP_ID -> Integer.compareUnsigned(left.job().owner().gid(), right.job().owner().gid());
      case MIN_TMP_DISK ->
          Long.compare(left.spec().resources().tmpDiskMib(), right.spec().resources().tmpDiskMib());
      default -> values.value(column, left).compareTo(values.value(column, right));
    };
  }

  private static int ids(JobDetails left, JobDetails right) {
    int jobs = Integer.compare(left.job().baseId(), right.job().baseId());
    return jobs != 0 ? jobs : Integer.compare(task(left), task(right));
  }

  private static int task(JobDetails facts) {
    HetComponent part = facts.job().het();
    if (part != null) {
      return part.offset();
    }
    return facts.job().array() instanceof ArrayPart.Task task ? task.index() : Integer.MAX_VALUE;
  }

  /** What is unknown comes last. */
  private static int moments(@Nullable Instant left, @Nullable Instant right) {
    if (left == null || right == null) {
      return Boolean.compare(left == null, right == null);
    }
    return left.compareTo(right);
  }

  private static long limit(JobDetails facts) {
    Duration limit = facts.limit();
    return limit == null ? Long.MAX_VALUE : limit.toSeconds();
  }

  private static long left(JobDetails facts) {
    Duration limit = facts.limit();
    return limit == null ? Long.MAX_VALUE : limit.toSeconds() - facts.elapsedSeconds();
  }
}

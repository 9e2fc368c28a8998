package io.dure.controller.slurmdbd;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands the question which jobs a cluster does not have to its controller, which waits for such
 * questions, and the answer back. Any thread.
 */
final class RunawayDesk {
  /** A controller that answered one question waits for the next one within this time. */
  private static final Duration TAKEN = Duration.ofSeconds(2);

  /**
   * It waits for its records to be stored, and asks the database. The command that asks waits ten
   * seconds (MessageTimeout), and the connection of a controller that is gone may have taken it.
   */
  private static final Duration ANSWERED = Duration.ofSeconds(6);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Questions that are asked now, by number; guarded by the lock. */
  private final SortedMap<Long, Question> questions = new TreeMap<>();

  /** The number of the last one; guarded by the lock. */
  private long last;

  /** Guarded by the lock. */
  private static final class Question {
    private final String cluster;
    private final long position;
    private boolean taken;
    private @Nullable SlurmdbdReply answer;

    Question(String cluster, long position) {
      this.cluster = cluster;
      this.position = position;
    }
  }

  /**
   * What the controller of a cluster says, or that there is none that does.
   *
   * @param position the count of events that the books have of it: a controller that knows fewer
   *     does not lead any more, and takes jobs that began since for gone
   */
  SlurmdbdReply ask(String cluster, long position) throws InterruptedException {
    lock.lock();
    try {
      long number = ++last;
      Question question = new Question(cluster, position);
      questions.put(number, question);
      changed.signalAll();
      try {
        long nanos = TAKEN.toNanos();
        while (!question.taken && nanos > 0) {
          nanos = changed.awaitNanos(nanos);
        }
        nanos = question.taken ? ANSWERED.toNanos() : 0;
        while (question.answer == null && nanos > 0) {
          nanos = changed.awaitNanos(nanos);
        }
      } finally {
        questions.remove(number);
      }
      return question.answer == null
          ? refused(
              "Slurmctld running on cluster " + cluster + " is not up, can't check running jobs")
          : question.answer;
    } finally {
      lock.unlock();
    }
  }

  private static SlurmdbdReply refused(String why) {
    return new SlurmdbdReply.Denied(new Reply.Refused(ErrorCode.CANNOT_STORE, why));
  }

  /**
   * The next question to a cluster. One whose controller took it and is gone is asked again, of the
   * controller that comes.
   */
  SlurmdbdReply await(String cluster, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (true) {
        for (var entry : questions.entrySet()) {
          Question question = entry.getValue();
          if (question.cluster.equals(cluster) && question.answer == null) {
            question.taken = true;
            changed.signalAll();
            return new SlurmdbdReply.RunawaysWanted(entry.getKey());
          }
        }
        if (nanos <= 0) {
          return new SlurmdbdReply.Done();
        }
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isBehind(SlurmdbdRequest.TellRunaways told, Question question) {
    Long position = told.position();
    return position != null && position < question.position;
  }

  /** A controller answers. */
  SlurmdbdReply tell(SlurmdbdRequest.TellRunaways told) {
    lock.lock();
    try {
      Question question = questions.get(told.question());
      // One of another slurmdbd, or of the one before a restart, has its number by chance.
      if (question != null
          && question.cluster.equals(told.cluster())
          && question.answer == null
          && !isBehind(told, question)) {
        String trouble = told.trouble();
        question.answer =
            trouble == null
                ? new SlurmdbdReply.Runaways(told.attempts())
                : refused("cluster " + question.cluster + " cannot tell them: " + trouble);
        changed.signalAll();
      }
      return new SlurmdbdReply.Done();
    } finally {
      lock.unlock();
    }
  }
}

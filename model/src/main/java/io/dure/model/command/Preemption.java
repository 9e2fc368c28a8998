package io.dure.model.command;

import io.dure.model.config.preempt.PreemptMode;
import java.util.List;

/**
 * Jobs that are to make room for a pending one, which starts once they are gone.
 *
 * @param jobId the job that they make room for
 * @param partition the partition in which it will run
 * @param victims at least one
 */
public record Preemption(int jobId, String partition, List<Preemption.Victim> victims) {
  public Preemption {
    victims = List.copyOf(victims);
  }

  /**
   * A job that makes room.
   *
   * @param run the run that is meant
   * @param mode what becomes of it
   */
  public record Victim(int jobId, int run, PreemptMode mode) {}
}

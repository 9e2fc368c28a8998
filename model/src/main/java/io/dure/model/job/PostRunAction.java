package io.dure.model.job;

/** What becomes of a job once its nodes are clean. */
public enum PostRunAction {
  END,
  /** Back into the queue. */
  REQUEUE,
  /** Back into the queue, held. */
  REQUEUE_HOLD,
  /** Back into the queue, held, shown as SPECIAL_EXIT. */
  SPECIAL_EXIT,
  /** Back into the queue until the next time of its crontab's entry. */
  RECUR
}

package io.dure.model.request;

/** Whether a job accepts neighbours on its nodes. */
public enum OversubscribeMode {
  /** The partition decides (Slurm prints {@code OverSubscribe=OK}). */
  DEFAULT,
  /** {@code --exclusive}: whole nodes. */
  EXCLUSIVE,
  /** {@code --exclusive=user}: only jobs of the same user. */
  USER,
  /** {@code --oversubscribe}. */
  OVERSUBSCRIBE
}

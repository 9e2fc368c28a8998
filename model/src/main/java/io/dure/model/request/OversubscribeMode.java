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
  OVERSUBSCRIBE;

  /**
   * What Slurm prints as {@code OverSubscribe=}.
   *
   * @param shared whether the partition lets jobs share what they do not refuse to share
   */
  public String oversubscribes(boolean shared) {
    return switch (this) {
      case DEFAULT, USER -> shared ? "YES" : "OK";
      case EXCLUSIVE -> shared ? "YES" : "NO";
      case OVERSUBSCRIBE -> "YES";
    };
  }

  /** What Slurm prints as {@code Exclusive=}. */
  public String excludes() {
    return switch (this) {
      case DEFAULT, OVERSUBSCRIBE -> "NO";
      case EXCLUSIVE -> "NODE";
      case USER -> "USER";
    };
  }
}

package io.dure.accounting;

/** Another writer has stored records meanwhile: ask for the position, and go on from there. */
public final class StalePositionException extends Exception {
  private static final long serialVersionUID = 1;

  /** At another position than that. */
  public StalePositionException(String cluster, long expected) {
    super(
        "cluster "
            + cluster
            + ": the accounting database is no longer at position "
            + expected
            + ": another controller writes into it");
  }
}

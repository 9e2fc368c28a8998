package io.dure.journal.segment;

import java.io.IOException;

/**
 * A journal that must not be used as it is: damaged, of a newer format, incomplete, or in use. The
 * message names the file, the offset where there is one, and the remedy.
 */
public final class JournalRefusedException extends IOException {
  /** What always helps. */
  public static final String RESTORE = "restore the whole directory from a backup";

  private static final long serialVersionUID = 1;

  private final boolean damage;

  /** With what is wrong and what to do. */
  public JournalRefusedException(String message) {
    this(message, false);
  }

  public JournalRefusedException(String message, boolean damage) {
    super(message);
    this.damage = damage;
  }

  /** Whether records that once were durable are damaged or gone; other members may have them. */
  public boolean isDamage() {
    return damage;
  }
}

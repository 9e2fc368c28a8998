package io.dure.host.net;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;

/**
 * Accepts connections until a listener is closed: what the system refuses now (no descriptor is
 * left, say), it may grant in a moment. So a failure is said once, and the next try comes after a
 * pause.
 */
public final class AcceptLoop {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final String where;
  private final BooleanSupplier listening;
  private final ConnectionAcceptor round;
  private final Logger log;

  /** Accepts one connection and has it served by another thread. */
  public interface ConnectionAcceptor {
    /**
     * Waits for a connection.
     *
     * @throws IOException if none can be had now, or the listener is closed
     */
    void next() throws IOException;
  }

  /**
   * A loop that has not begun.
   *
   * @param where what listens, for messages
   * @param listening false once the listener is closed
   */
  public AcceptLoop(String where, BooleanSupplier listening, ConnectionAcceptor round, Logger log) {
    this.where = where;
    this.listening = listening;
    this.round = round;
    this.log = log;
  }

  /** Works until the listener is closed or the thread is interrupted. */
  public void run() {
    boolean failing = false;
    while (listening.getAsBoolean()) {
      try {
        round.next();
        failing = false;
      } catch (IOException | RuntimeException e) {
        if (listening.getAsBoolean()) {
          failing = complain(failing, e);
          if (!rest()) {
            return;
          }
        }
      }
    }
  }

  private boolean complain(boolean failing, Exception e) {
    if (!failing) {
      log.error("cannot accept a connection at the " + where + ": " + e.getMessage());
    }
    return true;
  }

  private static boolean rest() {
    try {
      Thread.sleep(AFTER_FAILURE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

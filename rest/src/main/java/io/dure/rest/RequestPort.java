package io.dure.rest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go that came by HTTP: the controller in the same process, or one behind a
 * connection. Any thread.
 */
public interface RequestPort {
  /**
   * Begins to ask for somebody.
   *
   * @return null if the credential proves nobody
   * @throws IOException if no controller can be reached
   */
  @Nullable RequestSession open(RestCredential credential) throws IOException;

  /** Whether requests would be answered now. */
  boolean isReady();
}

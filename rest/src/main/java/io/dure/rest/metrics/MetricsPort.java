package io.dure.rest.metrics;

import io.dure.rest.RequestSession;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The controller, for metrics. Any thread. */
public interface MetricsPort {
  /** Whether requests would be answered now. */
  boolean isReady();

  /** Who may read metrics as the configuration in force says; null where there are none. */
  @Nullable MetricsAccess access();

  /**
   * Begins to ask for everybody who may read metrics: all is seen.
   *
   * @throws IOException if no controller can be reached
   */
  RequestSession openForMetrics() throws IOException;

  /** What is stored, null where this controller does not lead. */
  @Nullable StoredEvents stored();
}

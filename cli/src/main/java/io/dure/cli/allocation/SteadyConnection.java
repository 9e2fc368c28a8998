package io.dure.cli.allocation;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection for calls that wait long: what may be asked twice is asked again of a controller
 * that was started again meanwhile. One thread.
 */
public final class SteadyConnection implements ControllerConnection {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ControllerConnector connector;
  private ControllerConnection connection;

  private interface Exchange {
    Response over(ControllerConnection connection) throws IOException;
  }

  /**
   * Opens it.
   *
   * @throws IOException if no controller answers now
   */
  public SteadyConnection(ControllerConnector connector) throws IOException {
    this.connector = connector;
    this.connection = connector.open();
  }

  @Override
  public Response ask(Request request) throws IOException {
    return exchange(request, now -> now.ask(request));
  }

  @Override
  public Response await(Request request) throws IOException {
    return exchange(request, now -> now.await(request));
  }

  private Response exchange(Request request, Exchange exchange) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean broken = false;
    while (true) {
      try {
        if (broken) {
          connection = connector.open();
          broken = false;
        }
        return exchange.over(connection);
      } catch (IOException e) {
        if (!broken) {
          connection.closeQuietly();
        }
        broken = true;
        boolean late = System.nanoTime() - end > 0;
        if (late || !request.mayRepeat() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

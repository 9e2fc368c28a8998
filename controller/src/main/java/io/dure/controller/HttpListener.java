package io.dure.controller;

import io.dure.controller.server.CommandSession;
import io.dure.controller.server.HttpRequestPort;
import io.dure.model.config.parameters.HttpAddress;
import io.dure.rest.RestRoutes;
import io.dure.rest.RestServer;
import io.dure.rest.RestSettings;
import io.dure.rest.catalog.OperationCatalog;
import io.dure.rest.metrics.MetricsPages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** HTTP in the controller. */
final class HttpListener {
  private HttpListener() {}

  /**
   * Listens, where the configuration asks for it.
   *
   * @throws IOException if the address cannot be had; the message names it and the remedy
   */
  static @Nullable RestServer start(
      @Nullable HttpAddress address, CommandSession.CommandServices services, Logger log)
      throws IOException {
    if (address == null) {
      return null;
    }
    InetSocketAddress at =
        address.host().isEmpty()
            ? new InetSocketAddress(address.port())
            : new InetSocketAddress(address.host(), address.port());
    String setting = HttpAddress.PARAMETER + "=" + address + " in SlurmctldParameters";
    if (at.isUnresolved()) {
      throw new IOException(setting + ": there is no host " + address.host());
    }
    try {
      HttpRequestPort port = new HttpRequestPort(services);
      RestServer server =
          RestServer.start(
              RestSettings.at(List.of(at), List.of()),
              port,
              new RestRoutes(OperationCatalog.all()),
              new MetricsPages(port),
              log);
      log.info("HTTP: listening at " + address.host() + ":" + server.ports().getFirst());
      return server;
    } catch (IOException e) {
      String remedy = "; end the process that listens there or set another address";
      throw new IOException("cannot listen at " + setting + ": " + e.getMessage() + remedy, e);
    }
  }
}

package io.dure.rest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;

/** The HTTP server. Each request has a virtual thread of its own. */
public final class RestServer implements AutoCloseable {
  private static final int PLATFORM_THREADS = 16;
  private static final int HEADER_BYTES = 16 << 10;
  private static final int OUTPUT_BYTES = 32 << 10;

  /** Bytes a second on average that a client sends and takes at least while it does so. */
  private static final long LEAST_RATE = 1024;

  private final Server server;
  private final List<Path> sockets;

  private RestServer(Server server, List<Path> sockets) {
    this.server = server;
    this.sockets = sockets;
  }

  /**
   * Listens.
   *
   * @param pages what is read beside the documents
   * @param log is told of requests that fail by a bug
   * @throws IOException if an address or a socket cannot be listened at
   */
  public static RestServer start(
      RestSettings settings, RequestPort port, RestRoutes routes, TextPages pages, Logger log)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS);
    threads.setName("rest");
    threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
    Server server = new Server(threads);
    HttpConfiguration http = configuration(settings);
    for (InetSocketAddress address : settings.addresses()) {
      ServerConnector connector = new ServerConnector(server, 1, 1, factories(http));
      connector.setHost(address.getAddress().getHostAddress());
      connector.setPort(address.getPort());
      add(server, connector, settings);
    }
    for (Path socket : settings.sockets()) {
      Files.deleteIfExists(socket);
      UnixDomainServerConnector connector =
          new UnixDomainServerConnector(server, 1, 1, factories(http));
      connector.setUnixDomainPath(socket);
      add(server, connector, settings);
    }
    server.addBean(new NetworkConnectionLimit(settings.connections(), server));
    SizeLimitHandler bounded = new SizeLimitHandler(settings.bodyBytes(), -1);
    bounded.setHandler(new RestHandler(port, routes, pages, settings.bodyBytes(), log));
    server.setErrorHandler(new PlainErrors());
    server.setHandler(new MinimumDataRateHandler(bounded, LEAST_RATE, LEAST_RATE));
    try {
      server.start();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("HTTP server: " + e.getMessage(), e);
    }
    return new RestServer(server, settings.sockets());
  }

  private static HttpConfiguration configuration(RestSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setOutputBufferSize(OUTPUT_BYTES);
    http.setIdleTimeout(settings.idle().toMillis());
    return http;
  }

  private static ConnectionFactory[] factories(HttpConfiguration http) {
    return new ConnectionFactory[] {
      new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http)
    };
  }

  private static void add(Server server, AbstractConnector connector, RestSettings settings) {
    connector.setIdleTimeout(settings.idle().toMillis());
    server.addConnector(connector);
  }

  /** The ports of the TCP sockets, in the order of the settings. */
  public List<Integer> ports() {
    List<Integer> ports = new ArrayList<>();
    for (var connector : server.getConnectors()) {
      if (connector instanceof ServerConnector tcp) {
        ports.add(tcp.getLocalPort());
      }
    }
    return ports;
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("HTTP server: " + e.getMessage(), e);
    }
    for (Path socket : sockets) {
      Files.deleteIfExists(socket);
    }
  }
}

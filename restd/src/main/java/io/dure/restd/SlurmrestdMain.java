package io.dure.restd;

import io.dure.cli.connect.ClusterConnector;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.log.DaemonLog;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.DureVersion;
import io.dure.rest.RestRoutes;
import io.dure.rest.RestServer;
import io.dure.rest.RestSettings;
import io.dure.rest.TextPages;
import io.dure.rest.catalog.OperationCatalog;
import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.document.JsonNotation;
import io.dure.surface.document.OpenApiDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** {@code slurmrestd}: answers HTTP for the controllers of the cluster, until told to end. */
public final class SlurmrestdMain {
  private static final int MEMORY_KIB = 128 << 10;

  private SlurmrestdMain() {}

  /** Starts. */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> environment = System.getenv();
    SlurmrestdOptions options;
    try {
      options = SlurmrestdOptions.parse(List.of(arguments), environment);
    } catch (IllegalArgumentException e) {
      fail(e.getMessage() + "");
      return;
    }
    RestRoutes routes = new RestRoutes(OperationCatalog.all());
    switch (options.say()) {
      case HELP -> System.out.print(SlurmrestdOptions.USAGE);
      case VERSION -> System.out.println(DureVersion.LINE);
      case DESCRIPTION -> {
        List<Integer> versions =
            IntStream.rangeClosed(DocumentSchemas.OLDEST, DocumentSchemas.NEWEST).boxed().toList();
        OpenApiDocument.write(
            new JsonNotation(System.out, false), versions, routes::has, DureVersion.SLURM);
        System.out.println();
      }
      case NOTHING -> {
        try {
          serve(options, routes, environment);
        } catch (IOException e) {
          fail(e.getMessage() + "");
        }
      }
    }
  }

  private static void fail(String text) {
    System.err.println("slurmrestd: fatal: " + text);
    System.exit(1);
  }

  private static void serve(
      SlurmrestdOptions options, RestRoutes routes, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path given = options.configuration();
    Path configuration = given == null ? LocalConfigSource.locate(environment) : given;
    if (!Files.isReadable(configuration)) {
      throw new IOException("Could not read the configuration file " + configuration);
    }
    if (options.user() != null) {
      DaemonUser.become(options.user());
    }
    DaemonUser.check(configuration, environment.get("SLURMRESTD_SECURITY"));
    DaemonLog log =
        DaemonLog.toStream(
            System.err, options.level(), InstantSource.system(), ZoneId.systemDefault());
    ClusterConnector connector =
        new ClusterConnector(
            configuration, CurrentProcess.effectiveUid(), CurrentProcess.effectiveGid());
    RestSettings bounds = RestSettings.at(options.addresses(), options.sockets());
    try (RestServer server =
        RestServer.start(
            bounds.withConnections(options.connections()),
            new ControllerRequestPort(connector, MEMORY_KIB),
            routes,
            TextPages.NONE,
            log)) {
      log.info("slurmrestd started: ports " + server.ports() + ", sockets " + options.sockets());
      if (System.getenv("DURE_READY") != null) {
        System.out.println("ready");
      }
      CountDownLatch end = new CountDownLatch(1);
      DaemonSignals.listen(signal -> {
        switch (signal) {
          case STOP -> end.countDown();
          // Each request reads the configuration, and standard error is not reopened.
          case RECONFIGURE, REOPEN_LOG -> {}
        }
      });
      end.await();
      log.info("slurmrestd ends");
    }
  }
}

package io.dure.cli.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.ClusterAuthority;
import io.dure.model.ErrorCode;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ClusterConnectorTest {

  @TempDir Path directory;
  private ClusterConnector port;

  @BeforeEach
  void configure() throws IOException {
    Path file = directory.resolve("slurm.conf");
    Files.writeString(
        file,
        """
        ClusterName=lab
        SlurmctldHost=localhost(127.0.0.1)
        SlurmctldPort=1
        SlurmctldPidFile=%s/controller.pid
        MessageTimeout=5
        NodeName=n1 CPUs=1
        PartitionName=main Nodes=n1
        """
            .formatted(directory));
    port = new ClusterConnector(Map.of("SLURM_CONF", file.toString()));
  }

  private static String refused(ClusterConnector port) {
    return assertThrows(IOException.class, port::open).getMessage();
  }

  /** Serves one connection: reads a request, then sends these bytes, or hangs up if null. */
  private static Request serve(UnixListener listener, byte[] answer) throws IOException {
    try (Connection connection = ConnectionFactory.over(listener.accept(), Duration.ofSeconds(5))) {
      assertEquals(WireCodecs.COMMAND_MAGIC, connection.receiveMagic());
      Request request = WireCodecs.requests().decode(connection.receive());
      if (answer != null) {
        connection.send(answer);
      }
      return request;
    }
  }

  private Object askAgainst(byte[] answer) throws Exception {
    Path socket = directory.resolve("controller.sock");
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        UnixListener listener = UnixListener.open(socket, 0666, 1)) {
      Future<Request> served = executor.submit(() -> serve(listener, answer));
      try (ControllerConnection connection = port.open()) {
        return connection.ask(new Request.Ping());
      } catch (IOException e) {
        return e.getMessage();
      } finally {
        assertEquals(new Request.Ping(), served.get());
      }
    }
  }

  @Test
  void theControllerOnThisMachineIsReachedByItsSocket() throws Exception {
    Response pong = new Response.Pong("vm", "0.1.0", null);
    assertEquals(pong, askAgainst(WireCodecs.responses().encode(pong)));
  }

  @Test
  void whatIsNoAnswerIsNamed() throws Exception {
    assertEquals("Zero Bytes were transmitted or received", askAgainst(null));
    assertEquals(
        "Incompatible versions of client and server code", askAgainst(new byte[] {1, 2, 3}));
  }

  @Test
  void nobodyThere() throws IOException {
    assertEquals(ClusterConnector.NO_CONTROLLER, refused(port));
    Files.writeString(directory.resolve("controller.sock"), "left over");
    assertEquals(ClusterConnector.NO_CONTROLLER, refused(port));
  }

  @Test
  void noConfiguration() {
    String path = directory.resolve("gone").toString();
    assertEquals(
        "Could not read the configuration file " + path,
        refused(new ClusterConnector(Map.of("SLURM_CONF", path))));
  }

  @Test
  void aBrokenConfigurationIsNamedWithItsLine() throws IOException {
    Path file =
        Files.writeString(directory.resolve("bad.conf"), "ClusterName=x\nSlurmctldPort=abc\n");
    String text = refused(new ClusterConnector(Map.of("SLURM_CONF", file.toString())));
    assertTrue(text.startsWith("Could not use the configuration: "), text);
    assertTrue(text.contains("bad.conf"), text);
  }

  @Test
  void aTokenOfTheEnvironmentIsShownInPlaceOfTheKernelsWord() throws Exception {
    String conf = directory.resolve("slurm.conf").toString();
    Response pong = new Response.Pong("vm", "0.1.0", null);
    for (String token : new String[] {"a.b.c", ""}) {
      ClusterConnector shows = new ClusterConnector(Map.of("SLURM_CONF", conf, "SLURM_JWT", token));
      try (ExecutorService executor = Executors.newSingleThreadExecutor();
          UnixListener listener =
              UnixListener.open(directory.resolve("controller.sock"), 0666, 1)) {
        Future<Request> greeting =
            executor.submit(() -> {
              try (Connection connection =
                  ConnectionFactory.over(listener.accept(), Duration.ofSeconds(5))) {
                assertEquals(WireCodecs.AGENT_MAGIC, connection.receiveMagic());
                Request first = WireCodecs.requests().decode(connection.receive());
                connection.receive();
                connection.send(WireCodecs.responses().encode(pong));
                return first;
              }
            });
        try (ControllerConnection connection = shows.open()) {
          assertEquals(pong, connection.ask(new Request.Ping()));
        }
        assertEquals(new Request.Greeting(token, DureVersion.DURE, null), greeting.get());
      }
    }
  }

  @Test
  void aControllerThatHungUpBeforeItWasAskedIsHeard() throws Exception {
    Response refusal = new Response.Failed(ErrorCode.AUTHENTICATION, "token not valid");
    String conf = directory.resolve("slurm.conf").toString();
    ClusterConnector shows = new ClusterConnector(Map.of("SLURM_CONF", conf, "SLURM_JWT", "a"));
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        UnixListener listener = UnixListener.open(directory.resolve("controller.sock"), 0666, 1)) {
      Future<?> hangsUp =
          executor.submit(() -> {
            try (Connection connection =
                ConnectionFactory.over(listener.accept(), Duration.ofSeconds(5))) {
              connection.receiveMagic();
              connection.receive();
              connection.send(WireCodecs.responses().encode(refusal));
            }
            return null;
          });
      try (ControllerConnection connection = shows.open()) {
        hangsUp.get();
        assertEquals(refusal, connection.ask(new Request.Ping()));
      }
    }
  }

  @Test
  void tokensOfTheClusterKeyAreNotTakenFromTheEnvironment() {
    String conf = directory.resolve("slurm.conf").toString();
    String stolen = "v1.USER.cm9vdA.0.0.99999999999.x.y";
    assertEquals(
        "Protocol authentication error",
        refused(new ClusterConnector(Map.of("SLURM_CONF", conf, "SLURM_JWT", stolen))));
  }

  @Test
  void withATokenTheControllersMustBeKnown() throws IOException {
    String conf = directory.resolve("slurm.conf").toString();
    ClusterConnector shows = new ClusterConnector(Map.of("SLURM_CONF", conf, "SLURM_JWT", "a.b.c"));
    assertEquals(ClusterAuthority.missing(Path.of(conf)), refused(shows));
    Path authority = Files.writeString(directory.resolve("dure.ca"), "ca=12\n");
    assertTrue(refused(shows).startsWith(authority + " has no line ca="), refused(shows));
    Files.writeString(authority, "# public\nca=" + "0A".repeat(32) + "\n");
    assertEquals(ClusterConnector.NO_CONTROLLER, refused(shows), "it was asked");
  }
}

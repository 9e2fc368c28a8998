package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerPort;
import io.dure.core.config.Diagnostic;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.SlurmConf;
import io.dure.host.config.ConfigFiles;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.PinnedTls;
import io.dure.host.trust.Token;
import io.dure.host.user.OwnProcess;
import io.dure.protocol.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of the cluster that {@code slurm.conf} describes: the one on this machine by its
 * unix socket, where the kernel vouches for the caller; others by TLS, where the cluster key does,
 * for those who may read it.
 */
public final class ClusterPort implements ControllerPort {

  /** What commands say when no controller answers. */
  public static final String NO_CONTROLLER = "Unable to contact slurm controller (connect failure)";

  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

  private final Path file;

  /** The cluster that the environment names. */
  public ClusterPort(Map<String, String> environment) {
    this.file = ConfigFiles.locate(environment);
  }

  @Override
  public ControllerConnection open() throws IOException {
    Settings.Controller settings = settings();
    Path socket = ConfigFiles.socketBeside(settings.pidFile());
    if (Files.exists(socket)) {
      try {
        return FramedConnection.start(
            Connections.unix(socket, settings.messageTimeout()), settings.messageTimeout());
      } catch (IOException e) {
        // A socket may be left over from a controller that has moved to another machine.
        return remote(settings);
      }
    }
    return remote(settings);
  }

  private Settings.Controller settings() throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("Could not read the configuration file " + file);
    }
    ParsedConfig parsed = SlurmConf.parse(file.toString(), new ConfigFiles());
    List<Diagnostic> errors = parsed.errors();
    if (!errors.isEmpty()) {
      Diagnostic first = errors.get(0);
      throw new IOException(
          "Could not use the configuration: "
              + first.file()
              + ": line "
              + first.line()
              + ": "
              + first.message());
    }
    return parsed.config().settings().controller();
  }

  private ControllerConnection remote(Settings.Controller settings) throws IOException {
    ClusterKey key = key();
    if (key == null) {
      throw new IOException(NO_CONTROLLER);
    }
    SSLContext context = PinnedTls.clientContext(key);
    for (Settings.Host host : settings.hosts()) {
      for (int i = 0; i < Math.max(1, settings.portCount()); i++) {
        InetSocketAddress address = new InetSocketAddress(host.address(), settings.port() + i);
        Connection connection;
        try {
          connection = Connections.tls(address, context, settings.messageTimeout());
        } catch (IOException e) {
          continue;
        }
        FramedConnection framed = FramedConnection.start(connection, settings.messageTimeout());
        framed.tell(new Request.Greeting(token(key), "0.1.0"));
        return framed;
      }
    }
    throw new IOException(NO_CONTROLLER);
  }

  private @Nullable ClusterKey key() {
    Path path = ConfigFiles.keyBeside(file);
    try {
      return Files.isReadable(path) ? ClusterKey.load(path, OwnProcess.effectiveUid()) : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static String token(ClusterKey key) {
    int uid = OwnProcess.effectiveUid();
    return Token.forUser(
            Integer.toUnsignedString(uid),
            uid,
            OwnProcess.effectiveGid(),
            Instant.now().plus(TOKEN_LIFE),
            new SecureRandom())
        .sign(key);
  }
}

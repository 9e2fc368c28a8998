package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.process.ProcFs;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterAuthority;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.PinnedTls;
import io.dure.host.user.CurrentProcess;
import io.dure.model.ErrorCode;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.DureVersion;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.Request;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
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
public final class ClusterConnector implements ControllerConnector {

  /** What commands say when no controller answers. */
  public static final String NO_CONTROLLER = "Unable to contact slurm controller (connect failure)";

  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final Duration DAEMON_TIMEOUT = Duration.ofSeconds(5);

  /** What shows who one is in place of the kernel and the cluster key, as in Slurm. */
  public static final String TOKEN_VARIABLE = "SLURM_JWT";

  private final Path file;
  private final int uid;
  private final int gid;
  private final @Nullable String token;

  /** Whose requests they are, null for the user of the token. */
  private final @Nullable String user;

  /** The cluster that the environment names, for this process's own user. */
  public ClusterConnector(Map<String, String> environment) {
    this(
        LocalConfigSource.locate(environment),
        CurrentProcess.effectiveUid(),
        CurrentProcess.effectiveGid(),
        environment.get(TOKEN_VARIABLE),
        null);
  }

  /**
   * The cluster that a configuration file describes, for any user: others than this process's own
   * are named in tokens, so the cluster key must be readable.
   */
  public ClusterConnector(Path file, int uid, int gid) {
    this(file, uid, gid, null, null);
  }

  private ClusterConnector(
      Path file, int uid, int gid, @Nullable String token, @Nullable String user) {
    this.file = file;
    this.uid = uid;
    this.gid = gid;
    this.token = token;
    this.user = user;
  }

  /** The same for the user of a token of {@code auth/jwt}, whoever that is. */
  public ClusterConnector showing(String shown) {
    return showing(shown, null);
  }

  /**
   * The same in the name of another user, which is for operators.
   *
   * @param other null for the user of the token
   */
  public ClusterConnector showing(String shown, @Nullable String other) {
    return new ClusterConnector(file, uid, gid, shown, other);
  }

  @Override
  public ControllerConnection open() throws IOException {
    if (token != null && token.startsWith(AuthToken.BEGINNING)) {
      // An agent may show these for others; nobody has it do so with one that he came by.
      throw new IOException(ErrorCode.AUTHENTICATION.text());
    }
    ClusterConfig config = config();
    return config.settings().controller().hosts().size() > 1
        ? new BroadcastConnection(new All(config))
        : nearest(config);
  }

  @Override
  public ControllerConnector books() {
    // What keeps the books knows no tokens.
    return token == null ? booksBehind(this) : this;
  }

  /** The same behind another way to the controllers. */
  public ControllerConnector booksBehind(ControllerConnector controllers) {
    return () -> new BooksFallback(controllers, new DaemonBooks(this::config, file, uid, gid));
  }

  private ControllerConnection nearest(ClusterConfig config) throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    Path socket = LocalConfigSource.socketBeside(settings.pidFile());
    if (Files.exists(socket)) {
      try {
        return local(socket, settings.messageTimeout());
      } catch (IOException e) {
        // A socket may be left over from a controller that has moved to another machine.
        return remote(config);
      }
    }
    return remote(config);
  }

  /** This machine's controller first, if it has one, then those of the configuration. */
  private final class All implements ConnectionOpeners {
    private final ClusterConfig config;
    private final @Nullable Path socket;

    All(ClusterConfig config) {
      this.config = config;
      Path own = LocalConfigSource.socketBeside(config.settings().controller().pidFile());
      socket = Files.exists(own) ? own : null;
    }

    @Override
    public int count() {
      return config.settings().controller().hosts().size() + (socket == null ? 0 : 1);
    }

    @Override
    public ControllerConnection open(int door, Duration longest) throws IOException {
      Duration limit = config.settings().controller().messageTimeout();
      return socket != null && door == 0
          ? local(socket, limit)
          : remote(
              config, List.of(configured(door)), limit.compareTo(longest) < 0 ? limit : longest);
    }

    @Override
    public @Nullable String name(int door) {
      return socket != null && door == 0 ? null : configured(door).name();
    }

    @Override
    public @Nullable String host(int door) {
      return socket != null && door == 0
          ? LocalDoor.host(config.settings().controller().hosts())
          : configured(door).name();
    }

    private ClusterSettings.Host configured(int door) {
      return config.settings().controller().hosts().get(socket == null ? door : door - 1);
    }
  }

  private ControllerConnection local(Path socket, Duration limit) throws IOException {
    Connection connection = ConnectionFactory.unix(socket, limit);
    if (token != null) {
      return greeted(connection, WireCodecs.AGENT_MAGIC, limit, token);
    }
    if (own()) {
      return DirectConnection.start(connection, WireCodecs.COMMAND_MAGIC, limit);
    }
    ClusterKey key =
        ClusterKey.load(LocalConfigSource.keyBeside(file), CurrentProcess.effectiveUid());
    return greeted(connection, WireCodecs.AGENT_MAGIC, limit, token(key));
  }

  private ControllerConnection greeted(
      Connection connection, int magic, Duration limit, String shown) throws IOException {
    DirectConnection framed = DirectConnection.start(connection, magic, limit);
    framed.tell(new Request.Greeting(shown, DureVersion.DURE, user));
    return framed;
  }

  /** Whether the caller is this process's own user, for whom the kernel vouches. */
  private boolean own() {
    return uid == CurrentProcess.effectiveUid() && gid == CurrentProcess.effectiveGid();
  }

  private ClusterConfig config() throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("Could not read the configuration file " + file);
    }
    ParsedConfig parsed = SlurmConfParser.parse(file.toString(), new LocalConfigSource());
    List<ConfigDiagnostic> errors = parsed.errors();
    if (!errors.isEmpty()) {
      ConfigDiagnostic first = errors.get(0);
      throw new IOException(
          "Could not use the configuration: "
              + first.file()
              + ": line "
              + first.line()
              + ": "
              + first.message());
    }
    return parsed.config();
  }

  /** A proof of the calling user, and the authority of the controllers that it may be shown to. */
  private record Proof(String token, String authority) {}

  private ControllerConnection remote(ClusterConfig config) throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    return remote(config, settings.hosts(), settings.messageTimeout());
  }

  private ControllerConnection remote(
      ClusterConfig config, List<ClusterSettings.Host> hosts, Duration connecting)
      throws IOException {
    Proof proof = proof(config);
    if (proof == null) {
      throw new IOException(NO_CONTROLLER);
    }
    ClusterSettings.Controller settings = config.settings().controller();
    SSLContext context = PinnedTls.clientContext(proof.authority());
    ConnectLimits limits = ConnectLimits.of(config.settings().rules());
    for (ClusterSettings.Host host : hosts) {
      for (int i = 0; i < Math.max(1, settings.portCount()); i++) {
        InetSocketAddress address = new InetSocketAddress(host.address(), settings.port() + i);
        Connection connection;
        try {
          connection = ConnectionFactory.tls(address, context, connecting, limits);
        } catch (IOException e) {
          continue;
        }
        return greeted(
            connection, WireCodecs.COMMAND_MAGIC, settings.messageTimeout(), proof.token());
      }
    }
    throw new IOException(NO_CONTROLLER);
  }

  /**
   * By the key where it may be read, else by a node daemon of this machine; null without either. A
   * token that one has says who one is, and either of them which controllers are the cluster's.
   */
  private @Nullable Proof proof(ClusterConfig config) throws IOException {
    String known = token == null ? null : ClusterAuthority.beside(file);
    if (token != null && known != null) {
      return new Proof(token, known);
    }
    Path path = LocalConfigSource.keyBeside(file);
    try {
      if (Files.isReadable(path)) {
        ClusterKey key = ClusterKey.load(path, CurrentProcess.effectiveUid());
        return new Proof(token == null ? token(key) : token, key.caFingerprint());
      }
    } catch (IOException e) {
      // not a key one may use
    }
    if (token == null && !own()) {
      return null;
    }
    for (NodeConfig node : config.nodes()) {
      Path socket = LocalConfigSource.socketBeside(node.fill(config.settings().daemon().pidFile()));
      if (Files.exists(socket)) {
        Proof proof = vouched(socket);
        if (proof != null) {
          return token == null ? proof : new Proof(token, proof.authority());
        }
      }
    }
    if (token != null) {
      throw new IOException(ClusterAuthority.missing(file));
    }
    return null;
  }

  private static @Nullable Proof vouched(Path socket) {
    try (Connection daemon = ConnectionFactory.unix(socket, DAEMON_TIMEOUT)) {
      daemon.sendMagic(WireCodecs.LOCAL_MAGIC);
      daemon.send(WireCodecs.localRequests().encode(new LocalRequest.UserToken(DureVersion.DURE)));
      byte[] reply = daemon.receive(WireCodecs.MAX_LOCAL);
      if (reply != null
          && WireCodecs.localReplies().decode(reply)
              instanceof LocalReply.Token(String token, _, String authority)) {
        return new Proof(token, authority);
      }
      return null;
    } catch (IOException | MalformedMessageException e) {
      return null;
    }
  }

  private String token(ClusterKey key) throws IOException {
    return AuthToken.forUser(
            Integer.toUnsignedString(uid),
            uid,
            gid,
            ProcFs.ofThisMachine().shortHostName(),
            Instant.now().plus(TOKEN_LIFE),
            new SecureRandom())
        .sign(key);
  }
}

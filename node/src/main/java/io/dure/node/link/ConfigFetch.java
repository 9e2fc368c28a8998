package io.dure.node.link;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.storage.FileModes;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.PinnedTls;
import io.dure.host.user.CurrentProcess;
import io.dure.model.ErrorCode;
import io.dure.model.config.SiteRules;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The configuration as the controllers have it, for a node without files of its own ({@code slurmd
 * --conf-server}). One thread calls.
 *
 * @param servers the controllers, asked in turn
 * @param directory where the files are put, with a link to the cluster key beside them
 * @param key the cluster key
 */
public record ConfigFetch(List<InetSocketAddress> servers, Path directory, Path key) {
  private static final int PORT = 6817;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final Pattern CONFIG = Pattern.compile(".*\\.(conf|yaml)");
  private static final String FIRST = "slurm.conf";

  /**
   * What {@code --conf-server} says.
   *
   * @param environment {@code RUNTIME_DIRECTORY} instead of {@code /run/slurm}, {@code DURE_KEY}
   *     instead of {@code /etc/slurm/dure.key}
   * @throws IllegalArgumentException if it names no controller; the message says why
   */
  public static ConfigFetch of(String text, Map<String, String> environment) {
    List<InetSocketAddress> servers = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      servers.add(server(one.strip()));
    }
    String run = environment.getOrDefault("RUNTIME_DIRECTORY", "");
    Path usual = Path.of(LocalConfigSource.DEFAULT_PATH);
    String key = environment.getOrDefault("DURE_KEY", "");
    return new ConfigFetch(
        List.copyOf(servers),
        Path.of(run.isEmpty() ? "/run/slurm" : run.split(":", 2)[0]).resolve("conf"),
        key.isEmpty() ? LocalConfigSource.keyBeside(usual) : Path.of(key).toAbsolutePath());
  }

  private static InetSocketAddress server(String text) {
    int colon = text.endsWith("]") ? -1 : text.lastIndexOf(':');
    boolean bare = colon < 0 || text.indexOf(':') != colon && !text.startsWith("[");
    String host = bare ? text : text.substring(0, colon);
    String port = bare ? Integer.toString(PORT) : text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
      throw new IllegalArgumentException(
          "--conf-server: \"" + text + "\" is no controller: write HOST or HOST:PORT");
    }
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
  }

  /** Where slurm.conf is put. */
  public Path file() {
    return directory.resolve(FIRST);
  }

  /**
   * Fetches the files and puts them in place of those of the last time.
   *
   * @throws ControllerRefusalException if a controller answered, and gave none
   * @throws IOException if no controller answered, or the files cannot be written
   */
  public void fetch() throws IOException {
    // Whose key it may be is known with the configuration, and is checked then.
    ClusterKey loaded = ClusterKey.load(key, FileModes.ownerOf(key).uid());
    List<String> answers = new ArrayList<>();
    ControllerRefusalException refusal = null;
    List<Response.ConfigFile> files = null;
    for (InetSocketAddress server : servers) {
      try {
        files = files == null ? ask(server, loaded) : files;
      } catch (ControllerRefusalException e) {
        refusal = e;
      } catch (IOException e) {
        answers.add(server.getHostString() + ":" + server.getPort() + ": " + e.getMessage());
      }
    }
    if (files == null && refusal != null) {
      throw refusal;
    }
    if (files == null) {
      throw new IOException("no controller gave its configuration: " + String.join("; ", answers));
    }
    store(files);
  }

  /** A controller that answered, and gave nothing. */
  public static final class ControllerRefusalException extends IOException {
    private static final long serialVersionUID = 1;

    ControllerRefusalException(String message) {
      super(message);
    }
  }

  private static List<Response.ConfigFile> ask(InetSocketAddress server, ClusterKey key)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(server.getHostString(), server.getPort());
    try (Connection connection =
        ConnectionFactory.tls(
            address, PinnedTls.clientContext(key), PATIENCE, ConnectLimits.of(SiteRules.USUAL))) {
      connection.timeLimit(PATIENCE);
      connection.sendMagic(WireCodecs.COMMAND_MAGIC);
      AuthToken token =
          AuthToken.forUser(
              "slurmd",
              CurrentProcess.effectiveUid(),
              CurrentProcess.effectiveGid(),
              "",
              Instant.now().plus(TOKEN_LIFE),
              new SecureRandom());
      RecordCodec<Request> requests = WireCodecs.requests();
      connection.send(
          requests.encode(new Request.Greeting(token.sign(key), DureVersion.DURE, null)));
      connection.send(requests.encode(new Request.FetchConfig()));
      byte[] answer = connection.receive();
      if (answer == null) {
        throw new IOException(
            "closed the connection; it needs this machine's " + ClusterKey.FILE_NAME);
      }
      return switch (WireCodecs.responses().decode(answer)) {
        case Response.ConfigFiles(var files) -> files;
        case Response.Failed failed when failed.code() == ErrorCode.DISABLED ->
            throw new ControllerRefusalException(
                server.getHostString() + ": " + failed.code().text() + ": " + failed.detail());
        case Response.Failed failed -> throw new IOException(failed.code().text());
        case Response other -> throw new IOException("answered " + other);
      };
    } catch (MalformedMessageException e) {
      throw new IOException("is of another version", e);
    }
  }

  /** Each file at once; slurm.conf, which names the others, last. */
  private void store(List<Response.ConfigFile> files) throws IOException {
    Files.createDirectories(directory);
    Set<Path> wanted = new LinkedHashSet<>();
    for (Response.ConfigFile file : files.reversed()) {
      Path target = directory.resolve(file.name()).normalize();
      if (!target.startsWith(directory) || target.equals(directory)) {
        throw new IOException("a controller named a file outside of " + directory + ": " + target);
      }
      wanted.add(target);
      write(target, file.text());
    }
    try (Stream<Path> before = Files.walk(directory)) {
      for (Path old : before.toList()) {
        boolean ours = Files.isRegularFile(old, LinkOption.NOFOLLOW_LINKS);
        if (ours && CONFIG.matcher(old.toString()).matches() && !wanted.contains(old)) {
          Files.delete(old);
        }
      }
    }
    Path link = LocalConfigSource.keyBeside(file());
    if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(key)) {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, key);
    }
  }

  private static void write(Path target, String text) throws IOException {
    Files.createDirectories(target.resolveSibling(""));
    Path draft = target.resolveSibling(target.getFileName() + ".new");
    Files.writeString(draft, text, StandardCharsets.ISO_8859_1);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}

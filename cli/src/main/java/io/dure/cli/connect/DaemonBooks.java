package io.dure.cli.connect;

import io.dure.host.relay.RelayDialer;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.PasswdEntry;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.accounting.SlurmdbdPlace;
import io.dure.model.config.accounting.SlurmdbdSettings;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.slurmdbd.BookReader;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The books of the slurmdbd that slurm.conf names, for programs that may read its key: they vouch
 * for the caller, as controllers do. For one thread.
 */
final class DaemonBooks implements BooksFallback.Books {
  private static final String NAME = "slurmdbd";
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

  /** A question may take so long there, and some more. */
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final Configuration configuration;
  private final Path file;
  private final int uid;
  private final int gid;

  /** Reads slurm.conf. */
  interface Configuration {
    ClusterConfig read() throws IOException;
  }

  /**
   * Books for a user.
   *
   * @param file slurm.conf
   */
  DaemonBooks(Configuration configuration, Path file, int uid, int gid) {
    this.configuration = configuration;
    this.file = file;
    this.uid = uid;
    this.gid = gid;
  }

  @Override
  public @Nullable Response answer(Request request) throws IOException {
    Path keyFile = file.resolveSibling(SlurmdbdSettings.KEY_FILE);
    if (!isForBooks(request) || !Files.isReadable(keyFile)) {
      return null;
    }
    ClusterConfig config = configuration.read();
    SlurmdbdPlace place = SlurmdbdPlace.of(config.values());
    if (place == null) {
      return null;
    }
    CachedUserDatabase users = CachedUserDatabase.ofThisMachine();
    PasswdEntry slurm = users.userByName(config.settings().controller().user());
    ClusterKey key = ClusterKey.load(keyFile, slurm == null ? 0 : slurm.uid());
    BookReader reader = reader(config, users.userByUid(uid), slurm);
    SlurmdbdRequest question = question(request, config, reader);
    return question == null
        ? new Response.Text(lines(config))
        : response(asked(place, key, question), request, config, reader);
  }

  private static boolean isForBooks(Request request) {
    return request instanceof Request.ListJobHistory
        || request instanceof Request.ShowUsage
        || request instanceof Request.ShowClusterHistory
        || request instanceof Request.ShowAccounts
        || request instanceof Request.ShowBooksConfig
        || request instanceof Request.ShowConfig;
  }

  /** The configuration of this machine, in place of the controller's. */
  private static List<String> lines(ClusterConfig config) {
    return config.values().entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue())
        .toList();
  }

  private BookReader reader(
      ClusterConfig config, @Nullable PasswdEntry user, @Nullable PasswdEntry slurm) {
    ClusterSettings.Controller settings = config.settings().controller();
    return new BookReader(
        settings.clusterName(),
        user == null ? Integer.toUnsignedString(uid) : user.name(),
        uid,
        gid,
        uid == 0 || slurm != null && uid == slurm.uid(),
        settings.privateData());
  }

  /** What is asked of slurmdbd, null where that is nothing. */
  private static @Nullable SlurmdbdRequest question(
      Request request, ClusterConfig config, BookReader reader) {
    Instant now = Instant.now();
    return switch (request) {
      case Request.ListJobHistory(var query, var cluster) ->
          new SlurmdbdRequest.ReadJobs(
              Objects.requireNonNullElse(cluster, reader.home()), query, now, reader);
      case Request.ShowUsage(var query, var cluster) ->
          new SlurmdbdRequest.ReadUsage(
              Objects.requireNonNullElse(cluster, reader.home()),
              query,
              now,
              config.settings().resources().trackedTres(),
              reader);
      case Request.ShowClusterHistory(var query, var cluster) ->
          new SlurmdbdRequest.ReadHistory(
              Objects.requireNonNullElse(cluster, reader.home()), query, reader);
      case Request.ShowAccounts _ -> new SlurmdbdRequest.ReadAccounts(reader);
      case Request.ShowBooksConfig _ -> new SlurmdbdRequest.ShowConfiguration();
      case Request _ -> null;
    };
  }

  private static Response response(
      SlurmdbdReply reply, Request request, ClusterConfig config, BookReader reader)
      throws IOException {
    return switch (reply) {
      case SlurmdbdReply.Jobs(var jobs, var last, var texts) ->
          new Response.JobHistory(
              request instanceof Request.ListJobHistory(_, var cluster) && cluster != null
                  ? cluster
                  : reader.home(),
              jobs,
              last,
              config.settings().resources().trackedTres(),
              texts);
      case SlurmdbdReply.Usage(var report) -> new Response.Usage(report);
      case SlurmdbdReply.History(var history) -> new Response.RecordedHistory(history);
      case SlurmdbdReply.AllAccounts(var clusters) -> accounts(clusters, reader);
      case SlurmdbdReply.Lines(var lines) -> new Response.Text(lines);
      case SlurmdbdReply.Denied(Reply.Refused refused) ->
          new Response.Failed(refused.code(), refused.detail());
      case SlurmdbdReply other -> throw new IOException("slurmdbd is of another release: " + other);
    };
  }

  private static Response accounts(List<ClusterAccounts> clusters, BookReader reader)
      throws IOException {
    for (ClusterAccounts own : clusters) {
      if (own.cluster().equals(reader.home())) {
        return new Response.Accounts(
            own.cluster(),
            own.host(),
            own.port(),
            own.accounts(),
            reader.userName(),
            reader.operator(),
            clusters);
      }
    }
    throw new IOException("slurmdbd knows no cluster " + reader.home());
  }

  /** What the first daemon that answers says. */
  private static SlurmdbdReply asked(SlurmdbdPlace place, ClusterKey key, SlurmdbdRequest request)
      throws IOException {
    IOException first = null;
    for (String host : place.hosts()) {
      try {
        return asked(new InetSocketAddress(host, place.port()), key, request);
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    throw first == null ? new IOException("no address") : first;
  }

  private static SlurmdbdReply asked(
      InetSocketAddress address, ClusterKey key, SlurmdbdRequest request) throws IOException {
    Instant now = Instant.now();
    String token =
        AuthToken.forUser(NAME, 0, 0, "", now.plus(TOKEN_LIFE), new SecureRandom()).sign(key);
    RelayDialer.DaemonConnection daemon =
        new RelayDialer(key, InstantSource.fixed(now)).connect(NAME, address, token);
    try (var _ = daemon.socket()) {
      daemon.connection().timeLimit(LIMIT);
      daemon.connection().send(WireCodecs.slurmdbdRequests().encode(request));
      byte[] answer = daemon.connection().receive(WireCodecs.MAX_RESPONSE);
      if (answer == null) {
        throw new IOException("slurmdbd closed the connection");
      }
      SlurmdbdReply reply = WireCodecs.slurmdbdReplies().decode(answer);
      if (reply instanceof SlurmdbdReply.Failed(String text)) {
        throw new IOException(text);
      }
      return reply;
    } catch (MalformedMessageException e) {
      throw new IOException("slurmdbd is of another release", e);
    }
  }
}

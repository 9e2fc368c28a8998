package io.dure.controller;

import io.dure.core.config.ClusterConfig;
import io.dure.core.config.ConfigReport;
import io.dure.core.config.Settings;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.storage.Directories;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.Account;
import io.dure.host.user.Users;
import io.dure.protocol.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The program {@code slurmctld}. */
public final class Main {
  private Main() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(Options.parse(words));
    } catch (Options.UsageException e) {
      System.err.println("slurmctld: " + e.getMessage());
      System.err.print(Options.USAGE);
      code = 1;
    } catch (IOException | ExecutionException e) {
      System.err.println("slurmctld: fatal: " + e.getMessage());
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int run(Options options)
      throws IOException, InterruptedException, ExecutionException {
    return switch (options.action()) {
      case VERSION -> print(Version.line() + "\n");
      case HELP -> print(Options.USAGE);
      case RUN -> serve(options);
    };
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }

  private static int serve(Options options)
      throws IOException, InterruptedException, ExecutionException {
    LocatedConfig config = LocatedConfig.load(options.configFile(), System.getenv());
    if (config.parsed().hasErrors()) {
      ConfigReport.lines(config.parsed()).forEach(System.err::println);
      return 1;
    }
    ClusterConfig cluster = config.parsed().config();
    Settings.Controller own = cluster.settings().controller();
    Users users = Users.ofThisMachine();
    int slurmUid = uidOf(users, own.user());
    Path state = Path.of(own.stateSaveLocation());
    Directories.ensure(state, 0755, null);
    try (PidFile _ = PidFile.claim(inItsDirectory(own.pidFile()));
        Log log = log(options, own)) {
      forget(options, state);
      ClusterTrust trust =
          ClusterTrust.open(
              new ClusterTrust.Place(
                  config.keyFile(),
                  state.resolve("tls"),
                  own.clusterName(),
                  ProcFs.ofThisMachine().shortHostName(),
                  null),
              slurmUid,
              Instant.now());
      Controller.Setup setup =
          new Controller.Setup(config, options, System.getenv(), users, slurmUid, trust, log);
      try (Controller controller = new Controller(setup)) {
        DaemonSignals.listen(controller::heed);
        controller.start(cluster, options);
        controller.awaitEnd();
        log.info("slurmctld ends");
      }
      return 0;
    } catch (PidFile.AlreadyRunningException e) {
      System.err.println("slurmctld: fatal: " + e.getMessage());
      return 1;
    }
  }

  /** {@code -c}: the former state is put aside, never deleted. */
  private static void forget(Options options, Path state) throws IOException {
    if (options.recovery() != Options.Kept.NOTHING) {
      return;
    }
    Path aside = state.resolve("cleared-" + Instant.now().getEpochSecond());
    try (Stream<Path> files = Files.list(state)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("journal-") || name.startsWith("snapshot-")) {
          Files.createDirectories(aside);
          Files.move(file, aside.resolve(name));
        }
      }
    }
  }

  private static int uidOf(Users users, String name) throws IOException {
    Account account = users.userByName(name);
    if (account != null) {
      return account.uid();
    }
    try {
      return Integer.parseUnsignedInt(name);
    } catch (NumberFormatException e) {
      throw new IOException(
          "SlurmUser " + name + " is not known on this machine: create it or name another", e);
    }
  }

  private static Path inItsDirectory(String file) throws IOException {
    Path path = Path.of(file).toAbsolutePath();
    Path directory = path.getParent();
    if (directory != null) {
      Directories.ensure(directory, 0755, null);
    }
    return path;
  }

  private static Log log(Options options, Settings.Controller own) throws IOException {
    @Nullable String file = options.logFile() != null ? options.logFile() : own.logFile();
    LogLevel configured = LogLevel.parse(own.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    boolean toStream = options.foreground() || file.isEmpty();
    if (file.isEmpty()) {
      return Log.toStream(System.err, level, InstantSource.system(), ZoneId.systemDefault());
    }
    Path path = Path.of(file);
    if (path.getParent() != null) {
      Directories.ensure(path.getParent(), 0755, null);
    }
    return Log.toFile(
        path, toStream ? System.err : null, level, InstantSource.system(), ZoneId.systemDefault());
  }
}

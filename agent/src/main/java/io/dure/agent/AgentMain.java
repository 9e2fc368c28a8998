package io.dure.agent;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.process.PidFile;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.Privileges;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;

/**
 * {@code dure-agent [-D] [-f FILE] [-L FILE]}: serves the clients of this machine that use the
 * configuration FILE, until it is told to end.
 */
public final class AgentMain {
  private static final int USAGE_CODE = 2;
  private static final String USAGE = "Usage: dure-agent [-D] [-f FILE] [-L FILE]";

  private AgentMain() {}

  /** Starts; the pid file stands beside the socket. */
  public static void main(String[] arguments) {
    for (String word : arguments) {
      switch (word) {
        case "-h", "--help" -> {
          System.out.println(USAGE);
          return;
        }
        case "-V", "--version" -> {
          System.out.println(DureVersion.LINE);
          return;
        }
        default -> {}
      }
    }
    AgentOptions options;
    try {
      options = AgentOptions.parse(arguments, System.getenv());
    } catch (IllegalArgumentException e) {
      System.err.println("dure-agent: " + e.getMessage());
      System.err.println(USAGE);
      System.exit(USAGE_CODE);
      return;
    }
    try {
      if (options.once()) {
        serveOnce(options);
        return;
      }
      serve(options);
    } catch (IOException e) {
      System.err.println("dure-agent: fatal: " + e.getMessage());
      System.exit(1);
    }
  }

  private static DaemonLog log(AgentOptions options) throws IOException {
    ZoneId zone = ZoneId.systemDefault();
    return options.log() == null
        ? DaemonLog.toStream(
            System.err,
            options.once() ? LogLevel.ERROR : LogLevel.INFO,
            InstantSource.system(),
            zone)
        : DaemonLog.toFile(options.log(), null, LogLevel.INFO, InstantSource.system(), zone, true);
  }

  /** Nothing is left to close then, and an orderly exit takes longer. */
  private static void serveOnce(AgentOptions options) throws IOException {
    OneCall.serve(options.configuration(), log(options));
    Runtime.getRuntime().halt(0);
  }

  private static void serve(AgentOptions options) throws IOException {
    Path configuration = options.configuration();
    Path socket = options.socket();
    if (!Files.isReadable(configuration) || Files.isDirectory(configuration)) {
      throw new IOException("Could not read the configuration file " + configuration);
    }
    try (DaemonLog log = log(options);
        PidFile _ = PidFile.claim(socket.resolveSibling("agent.pid"));
        AgentServer agent = new AgentServer(socket, configuration, log)) {
      shedRights(configuration);
      DaemonSignals.listen(signal -> {
        switch (signal) {
          case STOP -> end(agent, log);
          case RECONFIGURE, REOPEN_LOG -> reopen(log);
        }
      });
      log.info("dure-agent started: configuration " + configuration + ", socket " + socket);
      if (System.getenv("DURE_READY") != null) {
        System.out.println("ready");
      }
      new CommandRehearsal(System.getenv(), log).begin();
      agent.run();
    }
  }

  /** What the agent has to read is the cluster key: its owner's rights are enough. */
  private static void shedRights(Path configuration) throws IOException {
    Path key = LocalConfigSource.keyBeside(configuration);
    if (CurrentProcess.effectiveUid() != 0 || !Files.exists(key)) {
      return;
    }
    int owner = (Integer) Files.getAttribute(key, "unix:uid");
    PasswdEntry account = new LibcUserDatabase().userByUid(owner);
    if (owner != 0 && account != null) {
      Privileges.become(account);
    }
  }

  private static void reopen(DaemonLog log) {
    try {
      log.reopen();
    } catch (IOException e) {
      log.error("cannot reopen the log file, still writing to the old one: " + e.getMessage());
    }
  }

  private static void end(AgentServer agent, DaemonLog log) {
    try {
      agent.close();
    } catch (IOException e) {
      log.error("cannot close the socket: " + e.getMessage());
    }
  }
}

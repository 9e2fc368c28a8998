package io.dure.agent;

import io.dure.host.config.ConfigFiles;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.net.UnixListener;
import io.dure.host.process.PidFile;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.Account;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.OwnProcess;
import io.dure.host.user.Privileges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;

/**
 * {@code agent SOCKET}: serves the clients of this machine until it is told to end. The cluster is
 * that of {@code SLURM_CONF}. Its log is standard error.
 */
public final class Main {
  private static final int BACKLOG = 1024;
  private static final int EVERYBODY = 0666;
  private static final int USAGE = 2;

  private Main() {}

  /** Starts with the path of the socket; {@code x.sock} has the pid file {@code x.pid}. */
  public static void main(String[] arguments) {
    Log log =
        Log.toStream(System.err, LogLevel.INFO, InstantSource.system(), ZoneId.systemDefault());
    if (arguments.length != 1) {
      System.err.println("Usage: agent SOCKET");
      System.exit(USAGE);
    }
    try {
      serve(Path.of(arguments[0]).toAbsolutePath(), log);
    } catch (IOException e) {
      log.fatal(String.valueOf(e.getMessage()));
      log.flush();
      System.exit(1);
    }
  }

  private static void serve(Path socket, Log log) throws IOException {
    Map<String, String> environment = System.getenv();
    Path configuration = ConfigFiles.locate(environment).normalize();
    String name = socket.toString().replaceFirst("\\.sock$", "");
    try (PidFile _ = PidFile.claim(Path.of(name + ".pid"));
        UnixListener listener = UnixListener.open(socket, EVERYBODY, BACKLOG);
        Agent agent = new Agent(listener, configuration, log)) {
      shedRights(configuration);
      DaemonSignals.listen(signal -> {
        if (signal == DaemonSignal.STOP) {
          end(agent, log);
        }
      });
      log.info("agent of the cluster of " + configuration + " at " + socket);
      if (environment.containsKey("DURE_READY")) {
        System.out.println("ready");
      }
      agent.run();
    }
  }

  /** What the agent has to read is the cluster key: its owner's rights are enough. */
  private static void shedRights(Path configuration) throws IOException {
    Path key = ConfigFiles.keyBeside(configuration);
    if (OwnProcess.effectiveUid() != 0 || !Files.exists(key)) {
      return;
    }
    int owner = (Integer) Files.getAttribute(key, "unix:uid");
    Account account = new LibcUserDatabase().userByUid(owner);
    if (owner != 0 && account != null) {
      Privileges.become(account);
    }
  }

  private static void end(Agent agent, Log log) {
    try {
      agent.close();
    } catch (IOException e) {
      log.error("the socket cannot be closed: " + e.getMessage());
    }
  }
}

package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A daemon of a cluster, running or not. */
public final class Daemon {
  private static final Await SOON = Await.seconds(60);

  private final List<String> start = new ArrayList<>();
  private final String program;
  private final Path dir;
  private final Path pidFile;
  private final Path log;
  private final Map<String, String> environment;

  private Daemon(Path dir, String program, String file, Map<String, String> environment) {
    this.dir = dir;
    this.program = program;
    this.pidFile = dir.resolve("run").resolve(file + ".pid");
    this.log = dir.resolve("log").resolve(file + ".log");
    this.environment = new TreeMap<>(environment);
    // Most machines allow a program 1024 open files until it asks for more.
    start.addAll(List.of("sh", "-c", "ulimit -Sn 1024; exec \"$@\"", "sh"));
    start.add(Checkout.daemon(program).toString());
  }

  public static Daemon controller(Path dir, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "slurmctld", "controller", environment);
    daemon.start.addAll(List.of("-f", dir + "/slurm.conf"));
    return daemon;
  }

  /** One of several, which believes that its machine has that name. */
  public static Daemon controllerOf(Path dir, String host, Map<String, String> environment) {
    Daemon daemon = controller(dir, environment);
    daemon.start.addAll(
        0, List.of("unshare", "--uts", "sh", "-c", "hostname " + host + "; exec \"$@\"", "sh"));
    return daemon;
  }

  public static Daemon node(Path dir, String name, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "slurmd", "node-" + name, environment);
    daemon.start.addAll(List.of("-N", name, "-f", dir + "/slurm.conf"));
    return daemon;
  }

  /** One without files of its own; {@code fetched} is where it puts those of the controllers. */
  public static Daemon configless(
      Path dir, String name, String servers, Path fetched, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "slurmd", "node-" + name, environment);
    daemon.environment.remove("SLURM_CONF");
    daemon.start.addAll(List.of("-N", name, "--conf-server", servers));
    return daemon
        .with("RUNTIME_DIRECTORY", fetched.toString())
        .with("DURE_KEY", dir.resolve("dure.key").toString());
  }

  public static Daemon agent(Path dir, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "dure-agent", "agent", environment);
    daemon.start.addAll(List.of("-f", dir + "/slurm.conf", "-L", dir + "/log/agent.log"));
    return daemon;
  }

  public static Daemon second(Path dir, String name, Path conf, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "slurmd", "second-" + name, environment);
    daemon.start.addAll(List.of("-N", name, "-f", conf.toString()));
    return daemon;
  }

  /** One that keeps the books of several clusters, by the slurmdbd.conf in that directory. */
  public static Daemon books(Path dir, Map<String, String> environment) {
    Daemon daemon = new Daemon(dir, "slurmdbd", "slurmdbd", environment);
    daemon.start.addAll(List.of("-f", dir + "/slurmdbd.conf"));
    return daemon;
  }

  /** From its next start on the program of that checkout, which is built. */
  public Daemon from(Path checkout) {
    start.replaceAll(word ->
        word.endsWith("/sbin/" + program) ? checkout.resolve("sbin/" + program).toString() : word);
    return this;
  }

  /** From its next start on with this in its environment. */
  public Daemon with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** The same, started by the words that are put before its own. */
  public Daemon after(List<String> words) {
    start.addAll(0, words);
    return this;
  }

  /** Starts it in the background as an administrator does; it serves when this returns. */
  public void start() {
    assertEquals("", attempt().ok(), "a daemon's start is silent");
  }

  /** The same, be it refused, or with something to say. */
  public Ran attempt() {
    return Session.run(start, environment, dir, Path.of("/dev/null"));
  }

  /** The process, which must live. */
  public int pid() {
    int pid = pidInFile();
    if (!Processes.isAlive(pid)) {
      throw new AssertionError(pidFile + " names " + pid + ", which does not live");
    }
    return pid;
  }

  public boolean isAlive() {
    return Files.exists(pidFile) && Processes.isAlive(pidInFile());
  }

  public void kill9() {
    end("KILL");
  }

  /** Ends it in order: TERM, and waits. */
  public void stop() {
    end("TERM");
  }

  private void end(String signal) {
    int pid = pid();
    Processes.kill(pid, signal);
    SOON.until("the end of " + log.getFileName(), () -> !Processes.isAlive(pid));
  }

  public void signal(String name) {
    Processes.kill(pid(), name);
  }

  /** Has it stand still: when this returns, no thread of it runs any more. */
  public void pause() {
    int pid = pid();
    Processes.kill(pid, "STOP");
    // Each thread runs on until it is told.
    SOON.until("the halt of " + log.getFileName(), () -> Processes.standsStill(pid));
  }

  /** The end of a {@link #pause}. */
  public void goOn() {
    signal("CONT");
  }

  public long logBytes() {
    try {
      return Files.size(log);
    } catch (IOException e) {
      return 0;
    }
  }

  /** What it has written to its log. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }

  private int pidInFile() {
    try {
      return Integer.parseInt(Files.readString(pidFile).strip());
    } catch (IOException e) {
      throw new AssertionError("no " + pidFile, e);
    }
  }
}

package io.dure.testkit.database;

import io.dure.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB or PostgreSQL server with data of its own, which a test may stop, freeze, kill and set
 * back. Its user is {@value #USER} with the password {@value #PASSWORD}. One thread.
 */
public final class DatabaseServer implements AutoCloseable {
  /** Who may do everything in it. */
  public static final String USER = "slurm";

  /** Needs quotes wherever it is written. */
  public static final String PASSWORD = "s3'cr et#";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Kind kind;
  private final Path directory;
  private final int port;
  private final List<String> options;
  private @Nullable Process process;
  private int databases;

  /** Whose server it is. */
  public enum Kind {
    /** Debian: mariadb-server. */
    MARIADB,

    /** Debian: postgresql. */
    POSTGRESQL
  }

  private DatabaseServer(Kind kind, Path directory, int port, List<String> options) {
    this.kind = kind;
    this.directory = directory;
    this.port = port;
    this.options = options;
  }

  /**
   * A server that runs and has no database.
   *
   * @throws IOException if its package is not there
   */
  public static DatabaseServer start(Kind kind) throws IOException {
    return start(kind, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * The same with its data in a directory under that one.
   *
   * @throws IOException if its package is not there
   */
  public static DatabaseServer start(Kind kind, Path parent) throws IOException {
    return start(kind, parent, withoutSync(kind));
  }

  /** A test kills processes and never the machine, so what a commit wrote need not be on disk. */
  private static List<String> withoutSync(Kind kind) {
    return switch (kind) {
      case MARIADB -> List.of("--innodb-flush-log-at-trx-commit=2");
      case POSTGRESQL -> List.of("-cfsync=off");
    };
  }

  /**
   * One that has memory for a large database, where packages give a server some for a small one.
   *
   * @param mib for its pages; before they are written its log may have a quarter of that
   * @throws IOException if its package is not there
   */
  public static DatabaseServer startLarge(Kind kind, int mib) throws IOException {
    List<String> options =
        switch (kind) {
          case MARIADB ->
              List.of(
                  "--innodb-buffer-pool-size=" + mib + "M",
                  "--innodb-log-file-size=" + mib / 4 + "M");
          case POSTGRESQL ->
              List.of("-cshared_buffers=" + mib + "MB", "-cmax_wal_size=" + mib / 4 + "MB");
        };
    return start(kind, Path.of(System.getProperty("java.io.tmpdir")), options);
  }

  private static DatabaseServer start(Kind kind, Path parent, List<String> options)
      throws IOException {
    Path directory =
        Files.createTempDirectory(parent, "dure-" + kind.name().toLowerCase(Locale.ROOT));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    DatabaseServer server = new DatabaseServer(kind, directory, port, options);
    server.make();
    server.start();
    return server;
  }

  private Path data() {
    return directory.resolve("data");
  }

  private void make() throws IOException {
    if (kind == Kind.MARIADB) {
      Files.writeString(
          directory.resolve("init.sql"),
          "CREATE USER IF NOT EXISTS "
              + USER
              + " IDENTIFIED BY '"
              + PASSWORD.replace("'", "''")
              + "';\nGRANT ALL ON *.* TO "
              + USER
              + ";\n");
      run(
          program("mariadb-install-db"),
          "--no-defaults",
          "--datadir=" + data(),
          "--user=" + System.getProperty("user.name"),
          "--auth-root-authentication-method=normal",
          "--skip-test-db");
      return;
    }
    Path password = directory.resolve("password");
    Files.writeString(password, PASSWORD);
    if (isRoot()) {
      run("chown", "-R", "postgres:postgres", directory.toString());
    }
    run(
        asServer(
            program("initdb"),
            "-D" + data(),
            "-U" + USER,
            "--auth=scram-sha-256",
            "--pwfile=" + password,
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync"));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** PostgreSQL refuses to run as root. */
  private static String[] asServer(String... command) {
    List<String> words = new ArrayList<>();
    if (isRoot()) {
      words.addAll(
          List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"));
    }
    words.addAll(List.of(command));
    return words.toArray(String[]::new);
  }

  private static String program(String name) throws IOException {
    List<Path> places = new ArrayList<>(List.of(Path.of("/usr/sbin"), Path.of("/usr/bin")));
    Path versions = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(versions)) {
      try (Stream<Path> all = Files.list(versions)) {
        all.map(version -> version.resolve("bin")).forEach(places::add);
      }
    }
    for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
      places.add(Path.of(place));
    }
    for (Path place : places) {
      if (Files.isExecutable(place.resolve(name))) {
        return place.resolve(name).toString();
      }
    }
    throw new IOException(name + " is missing. Debian: apt-get install mariadb-server postgresql");
  }

  private static ProcessBuilder command(String... words) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("PGPASSWORD", PASSWORD);
    builder.environment().put("MYSQL_PWD", PASSWORD);
    builder.directory(new File("/"));
    return builder.redirectErrorStream(true);
  }

  private static String run(String... words) throws IOException {
    Process done = command(words).start();
    String output = new String(done.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!done.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || done.exitValue() != 0) {
        throw new IOException(String.join(" ", words) + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output.strip();
  }

  /** Runs it again after {@link #stop} or {@link #kill}, and waits until it answers. */
  public void start() throws IOException {
    String[] words =
        kind == Kind.MARIADB
            ? new String[] {
              program("mariadbd"),
              "--no-defaults",
              "--datadir=" + data(),
              "--user=" + System.getProperty("user.name"),
              "--bind-address=127.0.0.1",
              "--port=" + port,
              "--socket=" + directory.resolve("socket"),
              "--pid-file=" + directory.resolve("pid"),
              "--skip-name-resolve",
              "--init-file=" + directory.resolve("init.sql")
            }
            : asServer(
                program("postgres"),
                "-D" + data(),
                "-p" + port,
                "-k" + directory,
                "-clisten_addresses=127.0.0.1");
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(options);
    process =
        command(all.toArray(String[]::new))
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    String any = kind == Kind.MARIADB ? "" : "postgres";
    Await.atMost(PATIENCE).until(kind + " answers", () -> sql(any, "SELECT 1").equals("1"));
  }

  /**
   * Has its own client run a statement.
   *
   * @return what it prints, without names of columns
   */
  public String sql(String database, String statement) throws IOException {
    return kind == Kind.MARIADB
        ? run(
            program("mariadb"),
            "--no-defaults",
            "--protocol=tcp",
            "--host=127.0.0.1",
            "--port=" + port,
            "--user=" + USER,
            "--batch",
            "--default-character-set=utf8mb4",
            "--skip-column-names",
            "--execute=" + statement,
            database)
        : run(
            program("psql"),
            "--no-psqlrc",
            "-h127.0.0.1",
            "-p" + port,
            "-U" + USER,
            "-At",
            "-c" + statement,
            database);
  }

  /** A database that was not there before, of which nothing says that its texts are Unicode. */
  public String newDatabase() throws IOException {
    databases++;
    String name = "books_" + databases;
    if (kind == Kind.POSTGRESQL) {
      sql("postgres", "CREATE DATABASE " + name);
    } else {
      sql("", "CREATE DATABASE " + name + " CHARACTER SET latin1");
    }
    return name;
  }

  /** Where it listens on loopback. */
  public int port() {
    return port;
  }

  /** Whose it is. */
  public Kind kind() {
    return kind;
  }

  /** Its processes that run now. */
  public List<ProcessHandle> processes() {
    if (process == null) {
      return List.of();
    }
    List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
    process.descendants().forEach(all::add);
    return all;
  }

  private void signal(String name) throws IOException {
    List<String> words = new ArrayList<>(List.of("kill", "-" + name));
    processes().forEach(one -> words.add(Long.toString(one.pid())));
    run(words.toArray(String[]::new));
  }

  /** Ends it at once, with all it had in memory. */
  public void kill() {
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    awaitGone(all);
  }

  private static void awaitGone(List<ProcessHandle> all) {
    Await.atMost(PATIENCE)
        .until("the server is gone", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Ends it in order. */
  public void stop() throws IOException {
    List<ProcessHandle> all = processes();
    // On TERM a PostgreSQL waits for its clients to leave.
    run("kill", kind == Kind.MARIADB ? "-TERM" : "-INT", Long.toString(all.getFirst().pid()));
    awaitGone(all);
  }

  /** Lets it say nothing any more, with its connections open. */
  public void freeze() throws IOException {
    signal("STOP");
  }

  /** Lets a frozen one go on. */
  public void thaw() throws IOException {
    signal("CONT");
  }

  /** Copies the data of a server that is stopped. */
  public void backUp() throws IOException {
    run("rm", "-rf", directory.resolve("copy").toString());
    run("cp", "-a", data().toString(), directory.resolve("copy").toString());
  }

  /** Puts the copy in place of the data of a server that is stopped. */
  public void restore() throws IOException {
    run("rm", "-rf", data().toString());
    run("cp", "-a", directory.resolve("copy").toString(), data().toString());
  }

  @Override
  public void close() throws IOException {
    kill();
    run("rm", "-rf", directory.toString());
  }
}

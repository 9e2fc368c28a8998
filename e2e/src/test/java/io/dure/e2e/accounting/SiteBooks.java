package io.dure.e2e.accounting;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The files of a site that has a slurmdbd.conf, and the comparison of its books. */
final class SiteBooks {
  /** A cluster has a block of ten ports. */
  static final int LAST_OF_BLOCK = 9;

  private SiteBooks() {}

  private static void write(Cluster cluster, String text) throws IOException {
    Path file = cluster.dir().resolve("slurmdbd.conf");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** The controller does slurmdbd's part, with a database of that server. */
  static void onServer(Cluster cluster, DatabaseServer server, String database) throws IOException {
    write(
        cluster,
        """
        AuthType=auth/munge
        DbdHost=localhost
        SlurmUser=slurm
        StorageType=accounting_storage/%s
        StorageHost=127.0.0.1
        StoragePort=%d
        StorageLoc=%s
        StorageUser=%s
        StoragePass=%s
        """
            .formatted(
                server.kind() == DatabaseServer.Kind.MARIADB ? "mysql" : "postgresql",
                server.port(),
                database,
                DatabaseServer.USER,
                "\"" + DatabaseServer.PASSWORD.replace("#", "\\#") + "\""));
  }

  /** The cluster's configuration with a slurmdbd at that port. */
  static Conf daemons(Conf conf, int port) {
    return conf.with("AccountingStorageType", "accounting_storage/slurmdbd")
        .with("AccountingStorageHost", "127.0.0.1")
        .with("AccountingStoragePort", port);
  }

  /**
   * A slurmdbd with a file, at the last port of the cluster's block; not started.
   *
   * @param conf what the cluster's configuration says beside that
   */
  static Daemon daemon(Cluster cluster, Conf conf) throws IOException {
    int port = cluster.port() + LAST_OF_BLOCK;
    cluster.configure(daemons(conf, port));
    write(
        cluster,
        """
        DbdHost=localhost
        DbdPort=%d
        SlurmUser=%s
        StorageType=accounting_storage/embedded
        StorageLoc=%3$s/books/accounting.db
        LogFile=%3$s/log/slurmdbd.log
        PidFile=%3$s/run/slurmdbd.pid
        """
            .formatted(port, User.SELF.name(), cluster.dir()));
    return Daemon.books(cluster.dir(), Map.of());
  }

  /** What the comparison of books, records and journal says once all is delivered and agrees. */
  static String audit(Cluster cluster) {
    return Await.seconds(180)
        .value("books, records and journal agree", () -> said(cluster), SiteBooks::agrees);
  }

  private static String said(Cluster cluster) {
    return cluster
        .admin()
        .run(
            "bash",
            "-c",
            "home=$0; . \"$home/libexec/launcher.sh\"; run_accounting check \"$1\"",
            Checkout.root().toString(),
            cluster.dir().resolve("slurm.conf").toString())
        .whatever();
  }

  private static boolean agrees(String said) {
    return said.lines().count() == 3
        && said.lines().skip(1).allMatch(line -> line.matches(".* ([1-9][0-9]*) agreed of \\1 .*"));
  }

  /** The jobs that sacct lists, each task of an array by itself. */
  static SortedSet<Integer> jobs(Session shell) {
    return shell
        .run("sacct", "-a", "-n", "-P", "-X", "-S", "now-1day", "-o", "JobIDRaw")
        .ok()
        .lines()
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

package io.dure.e2e.accounting;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;

/** Clusters called left and right of a node each, and one slurmdbd, which is left's. */
final class TwoClusters implements AutoCloseable {
  private static final Await SOON = Await.seconds(60);

  /** The key of slurmdbd, beside slurm.conf of each. */
  static final String KEY = "slurmdbd.key";

  private final Cluster left;
  private final Cluster right;
  private final Daemon books;

  private TwoClusters(Cluster left, Cluster right, Daemon books) {
    this.left = left;
    this.right = right;
    this.books = books;
  }

  /** All of them run, and slurmdbd knows both clusters. */
  static TwoClusters start() throws IOException {
    Cluster left = Cluster.prepare(base("left"));
    Daemon books = SiteBooks.daemon(left, base("left"));
    books.start();
    left.startAll();
    TwoClusters both = new TwoClusters(left, beside(left, "right"), books);
    SOON.until(
        "both clusters are known",
        () ->
            left.admin()
                .run("sacctmgr", "-nP", "show", "cluster", "format=cluster")
                .ok()
                .equals("left\nright"));
    return both;
  }

  /** A further cluster at left's slurmdbd, which runs. */
  private static Cluster beside(Cluster left, String name) throws IOException {
    // Its ports are looked for only now, when those of the first are taken.
    Cluster further =
        Cluster.prepare(SiteBooks.daemons(base(name), left.port() + SiteBooks.LAST_OF_BLOCK));
    Files.copy(left.dir().resolve(KEY), further.dir().resolve(KEY));
    Files.setPosixFilePermissions(
        further.dir().resolve(KEY), PosixFilePermissions.fromString("rw-------"));
    further.startAll();
    return further;
  }

  /** A third one that calls itself left, too; the caller closes it. */
  Cluster secondLeft() throws IOException {
    return beside(left, "left");
  }

  private static Conf base(String name) {
    return Conf.nodes(1, 4).with("ClusterName", name).with("AccountingStorageEnforce", "limits");
  }

  Cluster left() {
    return left;
  }

  Cluster right() {
    return right;
  }

  Daemon books() {
    return books;
  }

  @Override
  public void close() {
    if (books.isAlive()) {
      books.kill9();
    }
    right.close();
    left.close();
  }
}

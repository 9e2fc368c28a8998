package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Load;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kills what keeps books again and again while jobs come and go: they are right. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class BooksKillTest {
  private static final int KILLS = Integer.getInteger("dure.books.kills", 20);
  private static final int EACH = 60;

  @Test
  void booksRecordsAndJournalAgreeThroughKillsOfTheController()
      throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.start(Conf.nodes(2, 32))) {
      killAgainAndAgain(cluster, cluster.controller());
    }
  }

  @Test
  void booksRecordsAndJournalAgreeThroughKillsOfSlurmdbd()
      throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.prepare(Conf.nodes(2, 32))) {
      Daemon books = SiteBooks.daemon(cluster, Conf.nodes(2, 32));
      books.start();
      try {
        cluster.startAll();
        killAgainAndAgain(cluster, books);
      } finally {
        books.kill9();
      }
    }
  }

  private static void killAgainAndAgain(Cluster cluster, Daemon killed)
      throws IOException, InterruptedException {
    Session shell = cluster.admin();
    Path ran = shell.directory().resolve("ran");
    TreeSet<Integer> acknowledged = new TreeSet<>();
    for (int kill = 1; kill <= KILLS; kill++) {
      Path printed = cluster.dir().resolve("printed-" + kill);
      Process clients = Load.begin(shell, printed, ran, EACH);
      // Another moment each time: from the first acknowledgement on to the last.
      int point = Math.max(1, EACH * kill / KILLS);
      Await.seconds(60).until("so many are there", () -> Load.ids(printed).size() >= point);
      killed.kill9();
      killed.start();
      assertTrue(clients.waitFor(60, TimeUnit.SECONDS), "the clients hang");
      acknowledged.addAll(Load.ids(printed));
    }
    Await.seconds(120)
        .until("all have run", () -> cluster.jobs().stream().allMatch(job -> job.is("COMPLETED")));
    String said = SiteBooks.audit(cluster);
    SortedSet<Integer> known = SiteBooks.jobs(shell);
    assertTrue(known.containsAll(acknowledged), () -> acknowledged + " but " + known);
    System.out.println(acknowledged.size() + " jobs through " + KILLS + " kills:\n" + said);
  }
}

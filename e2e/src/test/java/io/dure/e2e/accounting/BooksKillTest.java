package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Load;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kills the controller again and again while jobs come and go: its books are right. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class BooksKillTest {
  private static final int KILLS = Integer.getInteger("dure.books.kills", 20);
  private static final int EACH = 60;

  @Test
  void booksRecordsAndJournalAgree() throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.start(Conf.nodes(2, 32))) {
      Session shell = cluster.admin();
      Path ran = shell.directory().resolve("ran");
      TreeSet<Integer> acknowledged = new TreeSet<>();
      for (int kill = 1; kill <= KILLS; kill++) {
        Path printed = cluster.dir().resolve("printed-" + kill);
        Process clients = Load.begin(shell, printed, ran, EACH);
        // Another moment each time: from the first acknowledgement on to the last.
        int point = Math.max(1, EACH * kill / KILLS);
        Await.seconds(60).until("so many are there", () -> Load.ids(printed).size() >= point);
        cluster.controller().kill9();
        cluster.controller().start();
        assertTrue(clients.waitFor(60, TimeUnit.SECONDS), "the clients hang");
        acknowledged.addAll(Load.ids(printed));
      }
      Await.seconds(120)
          .until(
              "all have run", () -> cluster.jobs().stream().allMatch(job -> job.is("COMPLETED")));
      TreeSet<Integer> known =
          shell
              .run("sacct", "-a", "-n", "-P", "-X", "-S", "now-1day", "-o", "JobIDRaw")
              .ok()
              .lines()
              .map(Integer::valueOf)
              .collect(Collectors.toCollection(TreeSet::new));
      assertTrue(known.containsAll(acknowledged), () -> acknowledged + " but " + known);
      String said =
          shell
              .run(
                  "bash",
                  "-c",
                  "home=$0; . \"$home/libexec/launcher.sh\"; run_accounting_check \"$1\"",
                  Checkout.root().toString(),
                  cluster.dir().resolve("slurm.conf").toString())
              .ok();
      System.out.println(acknowledged.size() + " jobs through " + KILLS + " kills:\n" + said);
      assertEquals(2, said.lines().count(), said);
      assertTrue(said.lines().allMatch(line -> line.matches(".* ([1-9][0-9]*) agreed of \\1 .*")));
    }
  }
}

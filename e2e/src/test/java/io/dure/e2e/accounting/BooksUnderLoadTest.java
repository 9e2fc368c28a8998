package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.SmallDisk;
import io.dure.testkit.Await;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever becomes of the database server while jobs come and end, no submission is refused. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class BooksUnderLoadTest {
  /** Seconds that the server is away at once; 600 for a long one. */
  private static final int AWAY = Integer.getInteger("dure.books.away", 5);

  private static final Await SOON = Await.seconds(300 + AWAY);

  /** MiB for the data of a server and for a copy of them. */
  private static final int DISK = 1536;

  /** What the controller says of a database that takes no records. */
  private static final String DELAYED = "records are kept and delivered later";

  /** Jobs of a second. */
  private static final int JOBS = 100;

  /** Submits a hundred jobs in a second. */
  private static final class JobStream {
    private final Session shell;
    private final List<String> refused = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger rounds = new AtomicInteger();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> going;

    JobStream(Session shell) {
      this.shell = shell;
      going = clock.scheduleAtFixedRate(this::round, 0, 1, TimeUnit.SECONDS);
    }

    private void round() {
      submit("--array=0-" + (JOBS - 1), "--wrap", "true");
      rounds.incrementAndGet();
    }

    private void submit(String... words) {
      List<String> line = new ArrayList<>(List.of("sbatch", "--parsable", "-o", "/dev/null"));
      line.addAll(List.of(words));
      try {
        shell.run(line.toArray(String[]::new)).ok();
      } catch (AssertionError refusal) {
        refused.add(refusal.getMessage());
      }
    }

    /** Goes on for so many rounds more. */
    void more(int count) {
      int until = rounds.get() + count;
      Await.seconds(count * 60L).until("jobs go on", () -> rounds.get() >= until);
    }

    int jobs() {
      return rounds.get() * JOBS;
    }

    void end() throws InterruptedException {
      assertTrue(going.cancel(false), "submissions ended by themselves");
      clock.shutdown();
      assertTrue(clock.awaitTermination(1, TimeUnit.MINUTES), "a submission hangs");
    }
  }

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void booksAreRightAndNothingIsRefused(DatabaseServer.Kind kind)
      throws IOException, InterruptedException {
    String lack = SmallDisk.lacking();
    assumeTrue(lack == null, lack);
    try (SmallDisk disk = SmallDisk.mount(DISK);
        DatabaseServer server = DatabaseServer.start(kind, disk.directory());
        Cluster cluster =
            Cluster.prepare(
                Conf.nodes(2, 32)
                    .with("AccountingStorageType", "accounting_storage/slurmdbd")
                    .with("MaxArraySize", 1001)
                    .with("MaxJobCount", 200_000))) {
      SiteBooks.onServer(cluster, server, server.newDatabase());
      cluster.startAll();
      Session shell = cluster.admin();
      Instant began = Instant.now();
      JobStream jobs = new JobStream(shell);
      jobs.more(2);
      disk.fill();
      SOON.until("a full disk is told", () -> cluster.logs().contains(DELAYED));
      jobs.more(2);
      disk.free();
      jobs.more(2);
      server.kill();
      jobs.more(AWAY);
      server.start();
      jobs.more(2);
      server.freeze();
      jobs.more(2);
      server.thaw();
      jobs.more(2);
      server.stop();
      server.backUp();
      server.start();
      jobs.more(3);
      server.stop();
      server.restore();
      server.start();
      jobs.more(2);
      jobs.end();
      Duration took = Duration.between(began, Instant.now());
      assertEquals(List.of(), jobs.refused);
      SOON.until(
          "all are over",
          () -> shell.run("squeue", "-h", "-t", "PD,R,CG", "-o", "%i").ok().isEmpty());
      String said = SiteBooks.audit(cluster);
      assertEquals(jobs.jobs(), SiteBooks.jobs(shell).size());
      assertTrue(cluster.logs().contains("takes records again"), "nothing was the matter");
      System.out.printf(
          "%s: %d jobs, %.0f a second, through five faults:%n%s%n",
          kind, jobs.jobs(), jobs.jobs() / (took.toMillis() / 1e3), said);
    }
  }
}

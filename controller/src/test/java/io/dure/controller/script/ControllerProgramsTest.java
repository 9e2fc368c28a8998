package io.dure.controller.script;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The site's programs at the controller, real ones, around the jobs of a cluster that is none. */
@Tag("process")
class ControllerProgramsTest {
  private static final Await SOON = Await.seconds(30);
  private static final int PLACES = 64;

  @TempDir Path directory;
  private final BlockingQueue<Command.InternalCommand> told = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final AtomicInteger over = new AtomicInteger();
  private int asked;
  private ControllerScriptRunner scripts;

  @BeforeEach
  void open() throws IOException {
    Logger log =
        DaemonLog.toStream(lines, LogLevel.INFO, InstantSource.system(), ZoneId.systemDefault());
    scripts = ControllerScriptRunner.open(directory.resolve("state"), this::hear, log);
    Path program =
        Files.writeString(
            directory.resolve("program"),
            """
            #!/bin/sh
            [ $SLURM_JOB_NAME = hanging ] || exit 0
            echo $$ >> %s/pids
            exec /bin/sleep 600
            """
                .formatted(directory));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void endPrograms() {
    SOON.until(
        "all programs are over",
        () -> {
          // One that is gone makes room for another.
          for (String pid : pids()) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
          }
          return over.get() == asked;
        });
  }

  private List<String> pids() throws IOException {
    Path pids = directory.resolve("pids");
    return Files.exists(pids) ? Files.readAllLines(pids) : List.of();
  }

  private TestCluster cluster(String prolog) {
    return ClusterBuilder.of(0)
        .set("PrologSlurmctld", prolog)
        .set("EpilogSlurmctld", directory + "/program")
        .node("n1")
        .cpus(100)
        .start();
  }

  private void hear(Command.InternalCommand news) {
    told.add(news);
    over.incrementAndGet();
  }

  private Command.InternalCommand next() throws InterruptedException {
    Command.InternalCommand news = told.poll(30, TimeUnit.SECONDS);
    assertNotNull(news, lines::toString);
    return news;
  }

  private static List<Integer> submit(TestCluster cluster, int count, String name) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(cluster.submit(ALICE, job().name(name)));
    }
    return ids;
  }

  private void prolog(TestCluster cluster, int id) {
    asked++;
    scripts.prolog(new Effect.RunProlog(id, cluster.job(id).run()), cluster.state());
  }

  @Test
  void aPrologThatCannotBeRunHasFailed() throws InterruptedException {
    TestCluster cluster = cluster("/nowhere/p[ro].sh");
    int id = submit(cluster, 1, "quick").getFirst();
    prolog(cluster, id);
    Command.PrologEnded news = (Command.PrologEnded) next();
    assertEquals("PrologSlurmctld could not be run: /nowhere", news.failure());
    assertTrue(
        lines.toString(StandardCharsets.UTF_8).contains("error: job " + id + ": PrologSlurmctld"));
  }

  @Test
  void epilogsThatHangKeepNoJobFromBeginning() throws InterruptedException {
    TestCluster cluster = cluster(directory + "/program");
    List<Integer> ending = submit(cluster, PLACES + 1, "hanging");
    ending.forEach(id -> cluster.tell(new Command.PrologEnded(id, cluster.job(id).run(), null)));
    cluster.advance(Duration.ofMinutes(2));
    for (int id : ending) {
      assertEquals("COMPLETING", cluster.state(id));
      asked++;
      scripts.epilog(new Effect.RunEpilog(id, cluster.job(id).run()), cluster.state());
    }
    SOON.until("all places are taken", () -> pids().size() == PLACES);
    int id = submit(cluster, 1, "quick").getFirst();
    prolog(cluster, id);
    Command.PrologEnded news = (Command.PrologEnded) next();
    assertEquals(id, news.jobId());
    assertNull(news.failure());
  }

  /** The next leader runs them again, perhaps on another machine, and must be alone with that. */
  @Test
  void programsEndWithTheirLeadershipAndSayNothingOfTheirJobs() throws IOException {
    TestCluster cluster = cluster(directory + "/program");
    List<Integer> ids = submit(cluster, PLACES + 1, "hanging");
    ids.forEach(id -> prolog(cluster, id));
    SOON.until("all places are taken", () -> pids().size() == PLACES);
    scripts.close();
    asked = 0;
    SOON.until(
        "all programs are over", () -> pids().stream().noneMatch(ControllerProgramsTest::isAlive));
    prolog(cluster, submit(cluster, 1, "quick").getFirst());
    assertEquals(PLACES, pids().size());
    assertEquals(List.of(), List.copyOf(told));
    asked = 0;
  }

  private static boolean isAlive(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
  }

  @Test
  void aPrologThatWaitsForAPlaceEndsWithItsJob() throws InterruptedException {
    TestCluster cluster = cluster(directory + "/program");
    submit(cluster, PLACES, "hanging").forEach(id -> prolog(cluster, id));
    SOON.until("all places are taken", () -> pids().size() == PLACES);
    int id = submit(cluster, 1, "quick").getFirst();
    prolog(cluster, id);
    scripts.endProlog(id, cluster.job(id).run());
    Command.PrologEnded news = (Command.PrologEnded) next();
    assertEquals(id, news.jobId());
    assertEquals(
        "PrologSlurmctld " + directory + "/program was ended before it began", news.failure());
    assertEquals("", lines.toString(StandardCharsets.UTF_8));
  }
}

package io.dure.e2e.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.model.ErrorCode;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One user has the controller keep all that they may, then changes jobs until it has written
 * several snapshots of that: it goes on, answers others meanwhile, and starts again with all of it.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class HostileUserTest {
  private static final Await SOON = Await.seconds(60);

  /** What a command of another user may take meanwhile, on a machine that other tests use, too. */
  private static final double MOST_SECONDS = 10;

  private static final int SNAPSHOTS = 2;

  /** MiB of text that is kept for one user where nothing else is set. */
  private static final int USUAL_TEXTS = 256;

  /** MiB of text that is kept for the user here: as usual, or with -Ddure.texts=4096 much more. */
  private static final int TEXTS = Integer.getInteger("dure.texts", USUAL_TEXTS);

  /** What a controller may take to learn of them all. */
  private static final Await CAUGHT_UP = Await.seconds(60 + TEXTS / 8);

  private User alice;
  private User bob;
  private @Nullable Cluster cluster;
  private @Nullable Group group;

  @BeforeEach
  void users() {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    } else if (cluster != null) {
      cluster.close();
    }
  }

  private static Conf conf() {
    Conf conf = Conf.nodes(1, 4);
    return TEXTS == USUAL_TEXTS
        ? conf
        : conf.with(
            "SchedulerParameters", "requeue_delay=1,max_user_text_size=" + ((long) TEXTS << 20));
  }

  private Cluster lone(@Nullable String heap) {
    Cluster made = Cluster.prepare(conf().with("MinJobAge", 2));
    cluster = made;
    if (heap != null) {
      made.controller().with("DURE_HEAP", heap);
    }
    made.startAll();
    return made;
  }

  @Test
  void atTheDefaultHeap() throws IOException {
    alone(lone(null));
  }

  @Test
  void atOneGiB() throws IOException {
    alone(lone("1g"));
  }

  /** Half of what is kept, which long texts need not be in. */
  @Test
  void atLessThanWhatIsKept() throws IOException {
    alone(lone("128m"));
  }

  private void alone(Cluster made) throws IOException {
    TextFlood flood = new TextFlood(made.confFile(), alice, TextFlood.BYTES);
    int accepted = flood.fill(ErrorCode.ACCOUNTING_POLICY);
    assertTrue(accepted >= TEXTS * 2 / 5, accepted + " jobs were taken");
    Daemon controller = made.controller();
    int pid = controller.pid();
    Path state = made.dir().resolve("state");
    int others = churn(flood, made, List.of(state));
    assertEquals(pid, controller.pid(), "another process by now");
    controller.kill9();
    controller.start();
    made.awaitNodes();
    holds(made, accepted, others);
  }

  @Test
  void ofThreeControllers() throws IOException {
    User.assumeRoot();
    Group made = Group.startWithHeap(conf(), "1g");
    group = made;
    String leader = made.leader();
    long term = made.term();
    TextFlood flood = new TextFlood(made.only(leader), alice, TextFlood.BYTES);
    String away = made.others(leader).getFirst();
    made.member(away).stop();
    int accepted = flood.fill(ErrorCode.ACCOUNTING_POLICY);
    assertTrue(accepted >= TEXTS * 2 / 5, accepted + " jobs were taken");
    List<Path> states =
        made.hosts().stream().filter(host -> !host.equals(away)).map(made::state).toList();
    int others = churn(flood, made.cluster(), states);
    // What it lacks is in snapshots alone by now.
    made.member(away).start();
    made.awaitCaughtUp(CAUGHT_UP);
    assertEquals(term, made.term(), "an election without a reason");
    made.hosts().forEach(host -> made.member(host).kill9());
    made.hosts().forEach(host -> made.member(host).start());
    made.cluster().awaitNodes();
    made.awaitCaughtUp(CAUGHT_UP);
    holds(made.cluster(), accepted, others);
    made.takeOver(away);
    holds(made.cluster(), accepted, others);
  }

  /** Until several snapshots have been written in each place; how many jobs another submitted. */
  private int churn(TextFlood flood, Cluster made, List<Path> states) throws IOException {
    Session his = made.as(bob);
    int submitted = 0;
    int waits = 0;
    double worst = 0;
    try (TextFlood.Churn churn = flood.churn(states)) {
      while (!churn.wrote(SNAPSHOTS)) {
        long began = System.nanoTime();
        his.run("squeue", "-h").ok();
        waits += submitHeld(his);
        submitted++;
        worst = Math.max(worst, (System.nanoTime() - began) / 1e9);
        churn.check();
      }
      System.out.printf(
          "hostile user: %d jobs with %d MiB, %d changes, %d snapshots or more in each of %d"
              + " places, squeue and sbatch of another user %.2f s at most, %d times in a second"
              + " attempt%n",
          flood.accepted(),
          (long) flood.accepted() * TextFlood.BYTES >> 20,
          churn.changes(),
          SNAPSHOTS,
          states.size(),
          worst,
          waits);
    }
    assertTrue(worst < MOST_SECONDS, "squeue and sbatch took " + worst + " s");
    return submitted;
  }

  /**
   * Submits a job. While a snapshot is written, a heap that is smaller than what it is written of
   * may be full for a moment: sbatch says so then, and goes on until the job is taken.
   *
   * @return how often it was full
   */
  private static int submitHeld(Session shell) {
    String full = "sbatch: error: Slurm job queue full, sleeping and retrying\n";
    String said = shell.run("sbatch", "--parsable", "--hold", "--wrap", "true").whatever();
    assertTrue(said.matches("exit 0\n\\d+\n(" + full + ")*"), said);
    return (int) said.lines().filter(line -> line.equals(full.strip())).count();
  }

  private void holds(Cluster made, int accepted, int others) {
    String queue = made.admin().run("squeue", "-h", "-o", "%u").ok();
    List<String> users = queue.lines().map(String::strip).toList();
    assertEquals(accepted, users.stream().filter(alice.name()::equals).count());
    assertEquals(others, users.stream().filter(bob.name()::equals).count());
  }

  /** A heap that cannot hold the short texts that one user may store. */
  @Test
  void aControllerThatLacksMemoryTakesNoMoreAndGoesOn() throws IOException {
    Cluster made = lone("64m");
    int pid = made.controller().pid();
    TextFlood flood = new TextFlood(made.confFile(), alice, TextFlood.SHORT);
    int accepted = flood.fill(ErrorCode.MAX_JOB_COUNT);
    assertTrue(accepted >= TextFlood.THREADS, accepted + " jobs");
    Session his = made.as(bob);
    try (TextFlood.Churn churn = flood.churn(List.of())) {
      SOON.until("many changes", () -> churn.changes() > 2000);
      assertEquals(accepted, his.run("squeue", "-h").ok().lines().count());
    }
    assertEquals(pid, made.controller().pid(), "another process by now");
    made.controller().kill9();
    made.controller().start();
    holds(made, accepted, 0);
    // What it has read again may fill its memory, too: there is room once those jobs are forgotten.
    made.admin().run("scancel", "-u", alice.name()).ok();
    SOON.until("no job", () -> made.admin().run("squeue", "-h", "-t", "all").ok().isEmpty());
    String last = his.run("sbatch", "--hold", "--wrap", "true").whatever();
    assertTrue(last.startsWith("exit 0\n"), last);
  }
}

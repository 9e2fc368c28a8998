package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random days of a cluster with lost nodes, reboots, controller restarts and repeated messages.
 * Whatever happens, the invariants hold after every step, and once all is well again every job ends
 * or says why it waits.
 */
@Tag("pure")
class SimulationTest {
  private static final int STEPS = 150;

  private static final List<Caller.User> USERS =
      List.of(TestCluster.ALICE, TestCluster.BOB, TestCluster.ROOT);

  @Test
  void randomDaysKeepEveryPromise() {
    SeededRandom.check("whatever happens, the invariants hold", 25, random -> day(random, true));
  }

  @Test
  void repeatedMessagesChangeNothing() {
    SeededRandom.check("messages may come twice", 10, random -> day(random, false));
  }

  private static void day(SeededRandom random, boolean faults) {
    TestCluster cluster = cluster(random);
    if (random.coin()) {
      cluster.duplicate(SeededRandom.of(random.seed()));
    }
    List<Integer> ids = new ArrayList<>();
    RecordedAttempts books = new RecordedAttempts();
    for (int step = 0; step < STEPS; step++) {
      if (faults && random.percent(12)) {
        fault(cluster, random);
      } else if (random.percent(45)) {
        submit(cluster, random, ids);
      } else if (!ids.isEmpty() && random.percent(50)) {
        command(cluster, random, random.oneOf(ids));
      } else {
        cluster.seconds(random.between(1, 120));
      }
      if (step % 25 == 0) {
        cluster.checkReplay();
        books.add(cluster.steps());
        books.check(cluster.state());
        cluster.forgetSteps();
      }
    }
    cluster.tickEvery(Duration.ofMinutes(1));
    heal(cluster);
    cluster.checkReplay();
    books.add(cluster.steps());
    books.check(cluster.state());
  }

  private static TestCluster cluster(SeededRandom random) {
    ClusterBuilder builder =
        ClusterBuilder.of(random.between(1, 3))
            .set("ReturnToService", random.oneOf("0", "1", "2"))
            .set("JobRequeue", random.oneOf("0", "1"))
            .set("SlurmdTimeout", "300")
            .set("MinJobAge", random.oneOf("30", "600"))
            .set("RequeueExit", "7")
            .set("RequeueExitHold", "8")
            .set("SchedulerType", random.oneOf("sched/backfill", "sched/builtin"))
            // In its own order what ran before decides, and a replay has to know the same of it.
            .set(
                "SchedulerParameters",
                random.oneOf("requeue_delay=60", "requeue_delay=60,policy=dure"));
    return builder.start();
  }

  private static void submit(TestCluster cluster, SeededRandom random, List<Integer> ids) {
    JobBuilder job =
        job()
            .name(random.oneOf("a", "b", "c"))
            .cpus(random.between(1, 4))
            .time(random.between(1, 10))
            .runs(random.between(1, 400))
            .ends(
                random.oneOf(
                    "exit 0",
                    "exit 0",
                    "exit 0",
                    "exit 1",
                    "exit 7",
                    "exit 8",
                    "signal 11",
                    "oom",
                    "lost",
                    "not-started",
                    "prolog-failed",
                    "node-fault"));
    job.environment(random.oneOf("A=1", "A=2", ""));
    if (random.percent(25)) {
      job.array(random.oneOf("0-3", "1-9:2%2", "5", "0-20%3"));
    }
    if (random.percent(15)) {
      job.cpus(1).nodes(random.between(1, 3));
    }
    if (random.percent(30) && !ids.isEmpty()) {
      job.dependency(dependency(random, ids));
    }
    if (random.percent(10)) {
      job.begin(cluster.now().plusSeconds(random.between(-60, 600)));
    }
    if (random.percent(10)) {
      job.deadline(cluster.now().plusSeconds(random.between(60, 3000)));
    }
    if (random.percent(10)) {
      job.requeue(random.coin());
    }
    if (random.percent(10)) {
      job.held();
    }
    mishaps(random, job);
    if (random.percent(10)) {
      job.signal(10, 60);
    }
    if (random.percent(20)) {
      job.killOnInvalidDependency();
    }
    if (random.percent(30)) {
      job.asked("request " + ids.size());
    }
    if (ask(cluster, random.oneOf(USERS), job.submission()) instanceof Reply.Submitted(int id)) {
      assertFalse(ids.contains(id), "id given twice");
      assertTrue(ids.isEmpty() || id > ids.getLast(), "ids rise");
      ids.add(id);
    }
  }

  private static Reply ask(TestCluster cluster, Caller.User user, Command.SubmitJob submission) {
    Reply reply = cluster.ask(user, submission);
    if (submission.requestId() != null && reply instanceof Reply.Submitted) {
      assertEquals(reply, cluster.ask(user, submission), "asked again, it is the same job");
    }
    return reply;
  }

  private static void mishaps(SeededRandom random, JobBuilder job) {
    if (random.percent(10)) {
      job.stubborn();
    }
    if (random.percent(3)) {
      job.epilogFails();
    }
  }

  private static String dependency(SeededRandom random, List<Integer> ids) {
    String separator = random.oneOf(",", "?");
    List<String> parts =
        random.list(
            1,
            3,
            r -> {
              String type =
                  r.oneOf("after", "afterany", "afterok", "afternotok", "aftercorr", "singleton");
              String target = r.oneOf(ids) + r.oneOf("", "", "_1");
              String delay = type.equals("after") ? r.oneOf("", "+1") : "";
              return type.equals("singleton") ? type : type + ":" + target + delay;
            });
    return String.join(separator, parts);
  }

  private static void command(TestCluster cluster, SeededRandom random, int id) {
    Caller.User who = random.oneOf(USERS);
    Command.UserCommand command =
        switch (random.between(0, 12)) {
          case 0 -> Ask.cancel(id);
          case 1 -> Ask.cancel(Ask.tasks(id, random.oneOf("1", "0-2", "3,5", "0-999999999")));
          case 2 -> Ask.hold(id);
          case 3 -> Ask.uhold(id);
          case 4 -> Ask.release(id);
          case 5 -> Ask.requeue(id);
          case 6 -> Ask.requeueHold(id);
          case 7 -> Ask.specialExit(id);
          case 8 -> Ask.signal(id, random.oneOf(9, 10));
          case 9 -> Ask.top(id);
          case 10 -> new Command.HoldJob(Ask.tasks(id, "1-3"), random.coin());
          case 11 -> new Command.ReleaseJob(Ask.tasks(id, "1-3"));
          default -> update(cluster, random, id);
        };
    cluster.ask(who, command);
  }

  private static Command.UserCommand update(TestCluster cluster, SeededRandom random, int id) {
    Ask.Change change = new Ask.Change();
    return switch (random.between(0, 6)) {
      case 0 -> Ask.timeLimit(id, random.between(1, 20));
      case 1 -> Ask.update(id, change.priority(random.between(0, 1000)));
      case 2 -> Ask.update(id, change.begin(cluster.now().plusSeconds(random.between(0, 300))));
      case 3 -> Ask.update(id, change.throttle(random.between(0, 3)));
      case 4 -> Ask.update(id, change.deadline(cluster.now().plusSeconds(1200)));
      case 5 ->
          Ask.update(
              id, change.dependency(JobBuilder.dependencies("afterany:" + random.between(1, id))));
      default -> Ask.update(id, change.tasks(random.between(1, 5)).nice(random.between(0, 9)));
    };
  }

  private static void fault(TestCluster cluster, SeededRandom random) {
    List<String> names = cluster.state().nodes().values().stream().map(n -> n.name()).toList();
    String name = random.oneOf(names);
    switch (random.between(0, 8)) {
      case 0 -> cluster.disconnect(name);
      case 1 -> cluster.connect(name);
      case 2 -> {
        cluster.disconnect(name);
        cluster.seconds(random.between(1, 900));
        cluster.connect(name);
      }
      case 3 -> {
        cluster.reboot(name, random.coin());
        cluster.connect(name);
      }
      case 4 -> {
        cluster.restartController();
        if (random.coin()) {
          cluster.seconds(random.between(1, 400));
        }
        random.shuffled(names).forEach(cluster::connect);
      }
      case 5 -> cluster.ask(TestCluster.ROOT, Ask.node(name, "state", "DOWN", "reason", "because"));
      case 6 ->
          cluster.ask(TestCluster.ROOT, Ask.node(name, "state", "DRAIN", "reason", "because"));
      default -> cluster.ask(TestCluster.ROOT, Ask.node(name, "state", "RESUME"));
    }
  }

  /** All is well again: after some days every job has ended or says why it waits. */
  private static void heal(TestCluster cluster) {
    for (int round = 0; round < 4 || (round < 40 && !cluster.state().active().isEmpty()); round++) {
      for (var node : cluster.state().nodes().values()) {
        cluster.ask(TestCluster.ROOT, Ask.node(node.name(), "state", "RESUME"));
      }
      cluster.connectAll();
      cluster.minutes(60);
    }
    for (Job job : cluster.state().jobs()) {
      switch (job.state()) {
        case JobState.Pending _ ->
            assertFalse(
                cluster.reason(job.id()).isEmpty(),
                () -> "no reason to wait: " + job.displayId() + " " + job.state());
        case JobState.Running _, JobState.Suspended _, JobState.Completing _ ->
            throw new AssertionError("never ends: " + job.displayId() + " " + job.state());
        case JobState.Ended _ -> {}
      }
    }
  }
}

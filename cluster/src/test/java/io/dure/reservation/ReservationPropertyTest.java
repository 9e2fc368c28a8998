package io.dure.reservation;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.model.command.Command;
import io.dure.model.job.Allocation;
import io.dure.model.reservation.Reservation;
import io.dure.testkit.Cases;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds of every start, whatever is reserved, asked for, changed and deleted. */
@Tag("pure")
class ReservationPropertyTest {
  private static final int WORLDS = 60;
  private static final int STEPS = 30;
  private static final List<String> FLAGS =
      List.of(
          "",
          "",
          " flags=DAILY",
          " flags=HOURLY",
          " flags=MAINT",
          " flags=OVERLAP",
          " flags=FLEX",
          " flags=MAGNETIC",
          " flags=REPLACE",
          " flags=TIME_FLOAT",
          " flags=IGNORE_JOBS",
          " flags=FLEX,MAGNETIC");

  @Test
  void noJobRunsOnNodesThatAreReservedForOthers() {
    for (int world = 0; world < Cases.of(WORLDS); world++) {
      long seed = 7919L * world + 13 + Cases.seeds();
      SeededRandom random = SeededRandom.of(seed);
      TestCluster cluster = ClusterBuilder.of(6).start();
      for (int step = 0; step < STEPS; step++) {
        act(cluster, random);
        cluster.advance(Duration.ofMinutes(random.between(0, 25 - 1)));
      }
      int starts = 0;
      for (TestCluster.Step step : cluster.steps()) {
        if (step.event() instanceof Event.JobStarted start) {
          assertHonoured(step, start, "seed " + seed);
          starts++;
        }
      }
      assertTrue(starts > 0, "seed " + seed);
      cluster.restartController();
    }
  }

  private static void act(TestCluster cluster, SeededRandom random) {
    switch (random.between(0, 6 - 1)) {
      case 0, 1 -> reserve(cluster, random);
      case 2 -> delete(cluster, random);
      default -> submit(cluster, random);
    }
  }

  private static void reserve(TestCluster cluster, SeededRandom random) {
    long from = Duration.between(TestCluster.START, cluster.now()).toMinutes();
    long start = from + random.between(0, 120 - 1);
    String nodes =
        switch (random.between(0, 4 - 1)) {
          case 0 -> "nodecnt=" + (1 + random.between(0, 3 - 1));
          case 1 -> "corecnt=" + (1 + random.between(0, 6 - 1));
          case 2 ->
              "nodes=n"
                  + (1 + random.between(0, 6 - 1))
                  + " corecnt="
                  + (1 + random.between(0, 3 - 1));
          default -> "nodes=n" + (1 + random.between(0, 6 - 1));
        };
    String flags = FLAGS.get(random.between(0, FLAGS.size() - 1));
    cluster.ask(
        ROOT,
        Asked.create(
            "start="
                + start
                + " duration="
                + (1 + random.between(0, 90 - 1))
                + " "
                + nodes
                + " users=bob"
                + flags));
  }

  private static void delete(TestCluster cluster, SeededRandom random) {
    List<Reservation> all = cluster.state().reservations();
    if (!all.isEmpty()) {
      String name = all.get(random.between(0, all.size() - 1)).name();
      cluster.ask(
          ROOT,
          random.between(0, 2 - 1) == 0
              ? new Command.DeleteReservation(name)
              : Asked.update(name, "duration+=" + (1 + random.between(0, 60 - 1))));
    }
  }

  private static void submit(TestCluster cluster, SeededRandom random) {
    JobBuilder job =
        job()
            .nodes(1 + random.between(0, 3 - 1))
            .tasks(3)
            .cpus(1 + random.between(0, 4 - 1))
            .time(1 + random.between(0, 120 - 1))
            .runs(60L * (1 + random.between(0, 100 - 1)));
    List<Reservation> all = cluster.state().reservations();
    if (!all.isEmpty() && random.between(0, 2 - 1) == 0) {
      job.within(all.get(random.between(0, all.size() - 1)).name());
    }
    cluster.ask(random.between(0, 3 - 1) == 0 ? ALICE : BOB, job.submission());
  }

  private static void assertHonoured(TestCluster.Step step, Event.JobStarted start, String what) {
    Allocation allocation = start.allocation();
    Instant now = start.at();
    Reservation own =
        allocation.reservation() == null
            ? null
            : step.before().reservationBook().named(allocation.reservation());
    String job = what + " job " + start.jobId();
    if (allocation.reservation() == null) {
      assertTrue(
          step.before().pending().require(start.jobId()).spec().reservations().isEmpty(), job);
    } else {
      assertTrue(own != null, job);
    }
    if (own != null && own.binds()) {
      assertTrue(own.active(now), job + " outside of its reservation's time");
      assertTrue(own.covers(allocation.shares()), job + " outside of its nodes or cores");
      assertTrue(start.end() != null && !start.end().isAfter(own.end(now)), job + " too long");
    }
    Instant end = start.end() == null ? Instant.MAX : start.end();
    for (Reservation other : step.before().reservations()) {
      boolean others = other.closesTo(own) && other.overlaps(now, end, now);
      boolean there = other.touches(allocation.shares());
      assertFalse(others && there, job + " on nodes or cores of " + other.name());
    }
  }
}

package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Load;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kills the controller in the middle of submissions: what was acknowledged is never forgotten. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ControllerCrashTest {
  private static final int KILLS = 3;
  private static final int EACH = 150;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 32));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void everyAcknowledgedJobExistsAndRunsOnce() throws IOException, InterruptedException {
    Path ran = cluster.admin().directory().resolve("ran");
    List<Integer> acknowledged = new ArrayList<>();
    for (int round = 1; round <= KILLS; round++) {
      acknowledged.addAll(submitThroughACrash(ran, round));
    }
    TreeSet<Integer> distinct = new TreeSet<>(acknowledged);
    assertEquals(acknowledged.size(), distinct.size(), "an id was given twice");
    Await.seconds(90)
        .until("all have run", () -> Load.runs(ran).keySet().containsAll(distinct) && idle());
    SortedMap<Integer, Integer> runs = Load.runs(ran);
    runs.values().removeIf(times -> times == 1);
    assertTrue(runs.isEmpty(), () -> "ran more than once: " + runs);
    TreeSet<Integer> known = new TreeSet<>();
    cluster.jobs().forEach(job -> known.add(Integer.valueOf(job.get("JobId"))));
    assertTrue(known.containsAll(distinct), () -> "forgotten: " + minus(distinct, known));
    System.out.println(
        distinct.size() + " jobs acknowledged through " + KILLS + " kills, none lost or repeated");
  }

  /** Four connections submit; the controller is killed when a third is acknowledged. */
  private static List<Integer> submitThroughACrash(Path ran, int round)
      throws IOException, InterruptedException {
    Path printed = cluster.dir().resolve("printed-" + round);
    Process clients = Load.begin(cluster.admin(), printed, ran, EACH);
    Await.seconds(60).until("a third is acknowledged", () -> Load.ids(printed).size() >= EACH / 3);
    cluster.controller().kill9();
    cluster.controller().start();
    assertTrue(clients.waitFor(60, TimeUnit.SECONDS), "the clients hang");
    List<Integer> ids = Load.ids(printed);
    assertTrue(ids.size() <= EACH, "more acknowledgements than submissions");
    if (ids.size() < EACH) {
      Path rest = cluster.dir().resolve("printed-rest-" + round);
      assertTrue(
          Load.begin(cluster.admin(), rest, ran, EACH - ids.size()).waitFor(60, TimeUnit.SECONDS),
          "the clients hang");
      ids.addAll(Load.ids(rest));
    }
    return ids;
  }

  private static boolean idle() {
    return cluster.jobs().stream().allMatch(job -> job.is("COMPLETED"));
  }

  private static Set<Integer> minus(Set<Integer> all, Set<Integer> some) {
    Set<Integer> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }
}

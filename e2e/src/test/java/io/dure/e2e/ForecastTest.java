package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever waits behind another is told when he starts, and who holds what he waits for. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ForecastTest {
  private static final Await SOON = Await.seconds(900);

  private static Cluster cluster;
  private static User alice;
  private static User bob;

  @BeforeAll
  static void start() {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(1, 8));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String forecast(Session session, int job) throws IOException {
    return session.run("dure-forecast", Integer.toString(job)).ok();
  }

  @Test
  void aJobThatWaitsIsForetoldAlsoAfterTheControllersEnd() throws IOException {
    Session first = cluster.as(alice);
    Session second = cluster.as(bob);
    first.submit("-n8", "-t30", "--wrap", "sleep 1700");
    int waits = second.submit("-n8", "-t10", "--wrap", "true");
    int held = second.submit("--hold", "--wrap", "true");
    SOON.until("a forecast", () -> forecast(second, waits).contains("is expected to start around"));
    String told = forecast(second, waits);
    assertTrue(told.contains("No job has ended on this cluster yet"), told);
    assertTrue(forecast(second, held).contains("is held by its owner"), "held");
    SOON.until(
        "squeue to tell the same",
        () -> {
          String start = second.run("squeue", "--start", "-h", "-o", "%S", "-j", "" + waits).ok();
          String json = second.run("dure-forecast", "--json", "" + waits).ok();
          Instant shown =
              LocalDateTime.parse(start.strip()).atZone(ZoneId.systemDefault()).toInstant();
          Pattern middle =
              Pattern.compile("\"p50\": \\{[^}]*\"number\": " + shown.getEpochSecond());
          return middle.matcher(json).find();
        });
    String all = second.run("dure-who").ok();
    assertTrue(all.lines().anyMatch(line -> line.matches("dure-alice +8 +100% +1 +0 +0")), all);
    assertTrue(all.lines().anyMatch(line -> line.matches("dure-bob +0 +0% +0 +2 +9")), all);
    String accuracy = second.run("dure-forecast", "--accuracy").ok();
    assertTrue(accuracy.contains("Nothing can be said yet"), accuracy);
    second
        .run("dure-forecast", "99999")
        .fails(1, "dure-forecast: error: Invalid job id specified: 99999");
    cluster.controller().kill9();
    cluster.controller().start();
    cluster.awaitNodes();
    SOON.until("it again", () -> forecast(second, waits).contains("is expected to start around"));
  }
}

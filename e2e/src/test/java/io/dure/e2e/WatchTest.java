package io.dure.e2e;

import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code dure-watch}: changes are told to whoever watches, through each of the clients. */
@ExtendWith(Diagnosis.class)
@ParameterizedClass
@EnumSource
@Tag("cluster")
class WatchTest {
  private static final Await SOON = Await.seconds(60);
  private static final String SEEN = "seen";

  private static Cluster cluster;
  private static User alice;

  WatchTest(Client client) {
    cluster.through(client);
  }

  @BeforeAll
  static void start() {
    alice = User.named("dure-alice");
    cluster = Cluster.start(Conf.nodes(1, 8));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aJobsLifeIsSeenAndAControllersEndSurvived() throws IOException {
    Session session = cluster.as(alice);
    Process watch = session.start(SEEN, "dure-watch", "-o", "%i=%t");
    try {
      awaitText(session, "JOBID=ST\n\n");
      int job = session.submit("--hold", "--wrap", "read line < go");
      awaitText(session, job + "=PD");
      session.run("mkfifo", session.directory().resolve("go").toString()).okSilently();
      session.run("scontrol", "release", Integer.toString(job)).okSilently();
      awaitText(session, job + "=R");
      cluster.controller().kill9();
      cluster.controller().start();
      cluster.awaitNodes();
      int held = session.submit("--hold", "--wrap", "true");
      awaitText(session, held + "=PD\n" + job + "=R");
      session.shell("echo on > go; rm go").okSilently();
      awaitText(session, held + "=PD\n\n");
      session.run("scancel", Integer.toString(held)).okSilently();
    } finally {
      watch.destroy();
    }
    SOON.until("its end", () -> !watch.isAlive());
  }

  private static void awaitText(Session session, String text) {
    SOON.value("the listing", () -> session.read(SEEN), seen -> seen.contains(text));
  }
}

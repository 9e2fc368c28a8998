package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller of a cluster is away, and slurmdbd is not. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class BooksWithoutControllerTest {
  private static final Await SOON = Await.seconds(60);

  private TwoClusters both;

  @BeforeEach
  void start() throws IOException {
    both = TwoClusters.start();
  }

  @AfterEach
  void stop() {
    if (both != null) {
      both.close();
    }
  }

  private static String listed(Session shell, String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "sacct";
    words[1] = "-anPX";
    words[2] = "-o";
    words[3] = "cluster,jobid,user,state";
    System.arraycopy(more, 0, words, 4, more.length);
    return shell.run(words).ok();
  }

  @Test
  void whatReadsTheBooksAsksSlurmdbd() throws IOException {
    Cluster left = both.left();
    Path conf = left.dir().resolve("slurmdbd.conf");
    Files.writeString(conf, Files.readString(conf) + "PrivateData=jobs\n");
    both.books().kill9();
    both.books().start();
    Session root = left.admin();
    root.run("sacctmgr", "-i", "add", "account", "lab").ok();
    root.run("sacctmgr", "-i", "add", "user", "dure-alice,dure-bob", "account=lab").ok();
    Session alice = left.as(User.named("dure-alice"));
    Session bob = left.as(User.named("dure-bob"));
    int hers = alice.submit("--wrap", "true");
    int his = bob.submit("--wrap", "exit 3");
    int far = both.right().admin().submit("--wrap", "true");
    String here = "left|%d|dure-alice|COMPLETED\nleft|%d|dure-bob|FAILED".formatted(hers, his);
    String there = "right|%d|root|COMPLETED".formatted(far);
    SOON.until("all are recorded", () -> listed(root, "-L").equals(here + "\n" + there));

    left.controller().stop();
    assertEquals(here, listed(root));
    assertEquals(here + "\n" + there, listed(root, "-L"));
    assertEquals(there, listed(root, "-M", "right"));
    assertEquals("left|%d|dure-alice|COMPLETED".formatted(hers), listed(alice));
    assertEquals("", listed(alice, "-M", "right"));
    assertEquals(
        "dure-alice\ndure-bob\nroot",
        root.run("sacctmgr", "-nP", "show", "user", "format=user").ok());
    assertEquals(
        "left\nright", root.run("sacctmgr", "-nP", "show", "cluster", "format=cluster").ok());
    String changed = root.run("sacctmgr", "-i", "add", "account", "late").whatever();
    assertTrue(changed.contains("Unable to contact slurm controller"), changed);
    String used =
        root.run(
                "sreport",
                "-nP",
                "cluster",
                "utilization",
                "all_clusters",
                "start=now-2hours",
                "end=now+2hours")
            .ok();
    assertTrue(used.contains("left|") && used.contains("right|"), used);
    String queue = root.run("squeue").whatever();
    assertTrue(queue.contains("Unable to contact slurm controller"), queue);

    both.books().kill9();
    String away = root.run("sacct").whatever();
    assertTrue(away.contains("Unable to contact slurm controller"), away);
    left.controller().start();
    both.books().start();
    SOON.until("the controller answers again", () -> listed(root).equals(here));
    assertFalse(listed(alice).contains("dure-bob"));
  }
}

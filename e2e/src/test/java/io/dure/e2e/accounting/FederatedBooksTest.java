package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A federation of two clusters that share a slurmdbd, as records. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class FederatedBooksTest {
  private static final Await SOON = Await.seconds(60);

  private TwoClusters both;
  private Cluster left;
  private Cluster right;
  private Daemon books;

  @BeforeEach
  void start() throws IOException {
    both = TwoClusters.start();
    left = both.left();
    right = both.right();
    books = both.books();
  }

  @AfterEach
  void stop() {
    if (both != null) {
      both.close();
    }
  }

  private static String show(Session shell, String... words) {
    String[] all = new String[words.length + 3];
    all[0] = "sacctmgr";
    all[1] = "-nP";
    all[2] = "show";
    System.arraycopy(words, 0, all, 3, words.length);
    return shell.run(all).ok();
  }

  private static String log(Session shell) {
    return show(shell, "transactions", "format=action,actor,where,info");
  }

  private static String federation(Session shell) {
    return shell.run("scontrol", "show", "federation").ok();
  }

  @Test
  void bothClustersKnowTheFederation() throws IOException {
    Session here = left.admin();
    Session there = right.admin();
    assertEquals("", federation(here));
    here.run("sacctmgr", "-i", "add", "federation", "pair", "clusters=left,right").ok();
    there
        .run("sacctmgr", "-i", "modify", "cluster", "left", "set", "features=big", "fedstate=drain")
        .ok();
    assertEquals("pair|left|1|big|DRAIN\npair|right|2||ACTIVE", show(here, "federation"));
    String seen = federation(there);
    assertTrue(
        seen.startsWith("Federation: pair\nSelf:       right:")
            && seen.contains("\nSibling:    left:")
            && seen.endsWith(
                ":"
                    + left.port()
                    + " ID:1 FedState:DRAIN Features:big PersistConnSend/Recv:No/No Synced:No"),
        seen);
    SOON.until("the log of changes has them", () -> log(here).contains("features="));
    assertEquals(
        """
        Add Federations|root|pair|
        Modify Clusters|root|name='left'|fed_id='1', fed_state='1', federation='pair'
        Modify Clusters|root|name='right'|fed_id='2', fed_state='1', federation='pair'
        Modify Clusters|root|name='left'|features='big', fed_state='17'\
        """
            .strip(),
        log(here));
    // Jobs stay where they are submitted, with the numbers that they had.
    assertTrue(here.submit("--wrap", "true") < 1 << 26);
    // A controller knows it by itself, also after it came back while slurmdbd is away.
    books.kill9();
    right.controller().kill9();
    right.controller().start();
    SOON.until("it answers", () -> federation(there).startsWith("Federation: pair\nSelf:"));
    books.start();
    SOON.until(
        "slurmdbd answers",
        () ->
            there
                .run("sacctmgr", "-i", "modify", "federation", "pair", "set", "clusters-=left")
                .whatever()
                .contains("Modified federation"));
    assertEquals("pair|right|2||ACTIVE", show(here, "federation"));
    SOON.until("the other follows", () -> federation(here).isEmpty());
  }

  @Test
  void aClusterThatIsDeletedLeavesIt() throws IOException {
    Session there = right.admin();
    there.run("sacctmgr", "-i", "add", "federation", "pair", "clusters=left,right").ok();
    left.controller().stop();
    there.run("sacctmgr", "-i", "delete", "cluster", "left").ok();
    assertEquals("pair|right|2||ACTIVE", show(there, "federation"));
    SOON.until("its sibling hears", () -> !federation(there).contains("Sibling"));
    left.controller().start();
    SOON.until(
        "it is there again, in no federation",
        () -> show(there, "cluster", "format=cluster,federation").equals("left|\nright|pair"));
  }
}

package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.User;
import io.dure.e2e.cluster.Witness;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three controllers of one build are replaced by those of another under constant load, in the order
 * of docs/reliability.md: who follows first, who leads last, then the node daemons.
 *
 * <p>{@code -Ddure.upgrade.from=DIR} names the older build: a checkout of an earlier commit, in
 * which {@code ./dure build} was run. Without it both are today's: then the test sees the restarts,
 * the takeover and the load, but no record, message or snapshot of another version. The commands
 * that submit are today's in both.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class UpgradeTest {
  private static final Path TO = Checkout.root();
  private static final Path FROM =
      Path.of(System.getProperty("dure.upgrade.from", Checkout.root().toString()));

  private Group group;
  private Witness witness;

  @BeforeEach
  void start() {
    User.assumeRoot();
    group = Group.startFrom(Conf.nodes(4, 16), FROM);
    witness = new Witness(group, 100);
  }

  @AfterEach
  void stop() {
    if (witness != null) {
      witness.close();
    }
    if (group != null) {
      group.close();
    }
  }

  @Test
  void controllersAreReplacedOneByOneUnderLoad() {
    group.awaitCaughtUp();
    String first = group.leader();
    int quiet = 0;
    for (String host : group.others(first)) {
      long term = group.term();
      replace(group.member(host));
      group.awaitCaughtUp();
      witness.awaitMore(20);
      quiet += group.term() == term ? 1 : 0;
    }
    // With one of three away a machine that stands still for two seconds is enough for an election.
    assertTrue(quiet > 0, "each replacement of a follower deposed the leader");
    String next = group.others(first).getFirst();
    group.takeOver(next);
    // The last of the old ones hears now what a new one decides: it follows, or ends by itself.
    witness.awaitMore(40);
    witness.awaitRuns(20);
    Daemon last = group.member(first);
    System.out.println(
        "upgrade: the last old controller " + (last.isAlive() ? "follows" : "has ended"));
    replace(last);
    group.awaitCaughtUp();
    witness.awaitMore(20);
    for (int i = 1; i <= 4; i++) {
      replace(group.node("n" + i));
    }
    group.cluster().awaitNodes();
    witness.awaitRuns(20);
    witness.verify();
    System.out.println("upgrade: from " + FROM + " to " + TO);
  }

  private static void replace(Daemon daemon) {
    if (daemon.isAlive()) {
      daemon.stop();
    }
    daemon.from(TO).start();
  }
}

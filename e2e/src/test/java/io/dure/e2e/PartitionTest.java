package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Network;
import io.dure.e2e.cluster.User;
import io.dure.e2e.cluster.Witness;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.testkit.Await;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three controllers and four node daemons, each in a network namespace of its own, under constant
 * load while their network loses what some send: what one controller alone decides counts for
 * nothing, the others go on.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PartitionTest {
  private static final Await SOON = Await.seconds(60);

  private Group group;
  private Witness witness;

  @BeforeEach
  void start() {
    User.assumeRoot();
    String lack = Network.lacking();
    if (lack != null) {
      System.out.println("SKIPPED, nothing is known about partitions: " + lack);
    }
    assumeTrue(lack == null, lack);
    group = Group.startApart(Conf.nodes(4, 16).with("MessageTimeout", 5));
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
  void aLeaderThatIsCutOffAcknowledgesNothing() throws IOException {
    String alone = group.leader();
    try (ControllerConnection open = group.connectTo(alone)) {
      assertEquals("done", asked(open), "the connection serves");
      for (String other : group.others(alone)) {
        group.network().cut(alone, other);
      }
      String next = group.leaderAfter(alone);
      assertFalse(acknowledges(open), "the minority acknowledged");
      witness.awaitMore(50);
      assertFalse(acknowledges(open), "the minority acknowledged");
      System.out.println(next + " leads instead of " + alone);
    }
    group.network().heal();
    group.awaitCaughtUp();
    witness.awaitRuns(20);
    witness.verify();
  }

  @Test
  void whatIsLostInOneDirectionOnlyIsSurvivedToo() {
    Random random = Seed.random();
    group.awaitCaughtUp();
    String mute = group.leader();
    // It hears the others, who do not hear it.
    for (String other : group.others(mute)) {
      group.network().lose(mute, other);
    }
    String next = group.leaderAfter(mute);
    witness.awaitMore(30);
    group.network().heal();
    group.awaitCaughtUp();

    // It is heard and hears nothing.
    for (String other : group.others(next)) {
      group.network().lose(other, next);
    }
    String third = group.leaderAfter(next);
    witness.awaitMore(30);
    group.network().heal();
    group.awaitCaughtUp();

    String follower = group.others(third).get(random.nextInt(2));
    group.network().lose(follower, third);
    witness.awaitMore(30);
    group.network().heal();
    SOON.until("somebody leads", () -> !group.leader().isEmpty());
    group.awaitCaughtUp();
    witness.awaitRuns(20);
    witness.verify();
  }

  private static String asked(ControllerConnection open) throws IOException {
    Response response = open.ask(change());
    return response instanceof Response.Decided(Reply.Done()) ? "done" : response.toString();
  }

  /** One without effect on jobs. */
  private static Request change() {
    return new Request.Change(new Command.UpdateNodes(List.of("n1"), Map.of("weight", "1")), null);
  }

  private static boolean acknowledges(ControllerConnection open) {
    try {
      return asked(open).equals("done");
    } catch (IOException e) {
      return false;
    }
  }
}

package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.dure.cli.command.ControllerConnection;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.User;
import io.dure.e2e.cluster.Witness;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.testkit.Await;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three controllers and four node daemons under constant load, of which some stand still for a
 * while or are killed.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PausedTest {
  private static final Await SOON = Await.seconds(60);

  private Group group;
  private Witness witness;

  @BeforeEach
  void start() {
    User.assumeRoot();
    group = Group.start(Conf.nodes(4, 16).with("MessageTimeout", 5));
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
  void aLeaderThatStoodStillAnswersNothingOfBefore()
      throws IOException, InterruptedException, ExecutionException {
    group.awaitCaughtUp();
    String stopped = group.leader();
    try (ControllerConnection open = group.connectTo(stopped)) {
      Request question = new Request.Ping();
      open.ask(question);
      group.member(stopped).pause();
      System.out.println(group.leaderAfter(stopped) + " leads instead of " + stopped);
      witness.awaitMore(40);
      int job = group.cluster().admin().submit("--wrap", "true");
      // It waits in the stopped one's socket until that goes on.
      CompletableFuture<Response> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              answer.complete(open.await(listing()));
            } catch (IOException e) {
              answer.completeExceptionally(e);
            }
          });
      witness.awaitRuns(20);
      group.member(stopped).goOn();
      Response said = answer.handle((response, _) -> response).get();
      assertFalse(
          said instanceof Response.Jobs jobs
              && jobs.jobs().stream().noneMatch(one -> one.job().id() == job),
          () -> "a leader of before answers of before: " + said);
      SOON.until(stopped + " follows", () -> !group.leader().equals(stopped));
    }
    group.awaitCaughtUp();
    witness.awaitRuns(20);
    witness.verify();
  }

  private static Request listing() {
    return new Request.ListJobs(List.of(), null, true);
  }

  @Test
  void aFollowerThatStandsStillOrDiesHoldsNobodyUp() {
    Random random = Seed.random();
    group.awaitCaughtUp();
    String leader = group.leader();
    String follower = group.others(leader).get(random.nextInt(2));
    group.member(follower).pause();
    witness.awaitMore(100);
    group.member(follower).goOn();
    group.awaitCaughtUp();
    String node = "n" + (1 + random.nextInt(4));
    group.node(node).kill9();
    witness.awaitMore(20);
    group.member(follower).kill9();
    witness.awaitMore(50);
    group.node(node).start();
    group.member(follower).start();
    group.awaitCaughtUp();
    witness.awaitRuns(20);
    witness.verify();
  }
}

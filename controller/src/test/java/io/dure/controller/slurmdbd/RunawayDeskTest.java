package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.record.AttemptId;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Questions to controllers, which each wait for them in a thread. */
@Tag("process")
class RunawayDeskTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<AttemptId> FOUND = List.of(new AttemptId(7, 1), new AttemptId(9, 2));

  private static final long AT = 50;

  private final RunawayDesk desk = new RunawayDesk();

  private interface Talk {
    SlurmdbdReply run() throws InterruptedException;
  }

  private static CompletableFuture<SlurmdbdReply> beside(Talk talk) {
    CompletableFuture<SlurmdbdReply> said = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("talk")
        .start(() -> {
          try {
            said.complete(talk.run());
          } catch (InterruptedException e) {
            said.completeExceptionally(e);
          }
        });
    return said;
  }

  private static SlurmdbdReply of(CompletableFuture<SlurmdbdReply> said)
      throws InterruptedException, ExecutionException, TimeoutException {
    return said.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private long taken(String cluster)
      throws InterruptedException, ExecutionException, TimeoutException {
    SlurmdbdReply wanted = of(beside(() -> desk.await(cluster, LONG)));
    return ((SlurmdbdReply.RunawaysWanted) wanted).question();
  }

  private SlurmdbdReply tell(long question, List<AttemptId> attempts, String trouble) {
    return desk.tell(new SlurmdbdRequest.TellRunaways(question, "right", attempts, trouble, AT));
  }

  private static String refusal(SlurmdbdReply reply) {
    return ((SlurmdbdReply.Denied) reply).refused().detail();
  }

  @Test
  void theControllerOfTheClusterAnswers() throws Exception {
    CompletableFuture<SlurmdbdReply> asked = beside(() -> desk.ask("right", AT));
    long question = taken("right");
    assertEquals(new SlurmdbdReply.Done(), desk.await("left", Duration.ZERO), "no question of its");
    assertEquals(new SlurmdbdReply.Done(), tell(question, FOUND, null));
    assertEquals(new SlurmdbdReply.Runaways(FOUND), of(asked));
    assertEquals(new SlurmdbdReply.Done(), desk.await("right", Duration.ZERO), "it is answered");
  }

  @Test
  void aControllerThatDoesNotLeadAnyMoreIsNotBelieved() throws Exception {
    CompletableFuture<SlurmdbdReply> asked = beside(() -> desk.ask("right", AT));
    long question = taken("right");
    desk.tell(new SlurmdbdRequest.TellRunaways(question, "right", FOUND, null, AT - 1));
    assertEquals(question, taken("right"), "it is asked again");
    desk.tell(new SlurmdbdRequest.TellRunaways(question, "right", List.of(), null, AT + 1));
    assertEquals(new SlurmdbdReply.Runaways(List.of()), of(asked));
  }

  @Test
  void anAnswerOfAnotherClusterIsLeftOut() throws Exception {
    CompletableFuture<SlurmdbdReply> asked = beside(() -> desk.ask("right", AT));
    long question = taken("right");
    assertEquals(
        new SlurmdbdReply.Done(),
        desk.tell(new SlurmdbdRequest.TellRunaways(question, "left", FOUND, null, AT)));
    tell(question, List.of(), null);
    assertEquals(new SlurmdbdReply.Runaways(List.of()), of(asked));
  }

  @Test
  void aControllerThatComesAnswersForOneThatIsGone() throws Exception {
    CompletableFuture<SlurmdbdReply> asked = beside(() -> desk.ask("right", AT));
    long question = taken("right");
    assertEquals(question, taken("right"));
    tell(question, FOUND, null);
    tell(question, List.of(), null);
    assertEquals(new SlurmdbdReply.Runaways(FOUND), of(asked), "the first answer counts");
  }

  @Test
  void whyItCannotTellIsSaid() throws Exception {
    CompletableFuture<SlurmdbdReply> asked = beside(() -> desk.ask("right", AT));
    tell(taken("right"), List.of(), "it is behind the controller");
    String why = refusal(of(asked));
    assertTrue(why.endsWith("cannot tell them: it is behind the controller"), why);
  }

  @Test
  void withoutAControllerThatIsSaid() throws Exception {
    assertEquals(
        "Slurmctld running on cluster right is not up, can't check running jobs",
        refusal(desk.ask("right", AT)));
    assertEquals(new SlurmdbdReply.Done(), tell(1, FOUND, null), "an answer that comes late");
  }
}

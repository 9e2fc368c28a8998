package io.dure.controller.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.controller.view.Verdicts;
import io.dure.core.config.SlurmConf;
import io.dure.core.controller.Apply;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.explain.Story;
import io.dure.core.model.Batch;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Hold;
import io.dure.core.model.Identity;
import io.dure.core.model.JobSpec;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.Sharing;
import io.dure.core.model.TimeLimit;
import io.dure.host.user.Users;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Who is told why a job waits, and how many at a time. */
final class WhyDeskTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");

  private final WhyDesk desk = new WhyDesk(new Callers(Users.ofThisMachine(), 0), () -> NOW);

  private static Caller.User user(int uid) {
    return new Caller.User(new Identity(uid, uid, "u" + uid, "users"), List.of(), false);
  }

  private static JobSpec spec() {
    ResourceRequest asked =
        new ResourceRequest(
            1,
            1,
            1,
            1,
            null,
            1,
            new MemoryRequest.PerNode(100),
            0,
            Sharing.DEFAULT,
            List.of(),
            List.of(),
            null,
            false,
            false,
            null,
            null,
            null);
    return JobSpec.of("job", List.of("debug"), asked, TimeLimit.minutes(10));
  }

  private static ClusterState waiting() {
    String text =
        """
        SlurmctldHost=vm
        ClusterName=lab
        NodeName=n1 CPUs=4 RealMemory=1000
        PartitionName=debug Nodes=n1 Default=YES MaxTime=60
        """;
    var config = SlurmConf.parse("/slurm.conf", _ -> text).config();
    Batch batch = Batch.nothing("/tmp");
    return Apply.applyAll(
        ClusterState.initial(config),
        List.of(
            new Event.Configured(config, NOW),
            new Event.JobSubmitted(
                7, NOW, user(1001).identity(), spec(), batch, 1, Hold.NONE, List.of(), null)));
  }

  private Response ask(ClusterState state, int job, int uid, boolean onlyOwn)
      throws InterruptedException {
    return desk.answer(
        state,
        Verdicts.NONE,
        new JobSelector(job, null),
        user(uid),
        new WhyDesk.Mode(false, onlyOwn));
  }

  @Test
  void unknownJobsAndThoseOfOthersAreInvalid() throws InterruptedException {
    ClusterState state = waiting();
    Response.Failed unknown = assertInstanceOf(Response.Failed.class, ask(state, 8, 1001, false));
    assertEquals(ErrorCode.INVALID_JOB_ID, unknown.code());
    assertInstanceOf(Response.Failed.class, ask(state, 7, 1002, true));
    assertInstanceOf(Response.Explained.class, ask(state, 7, 1001, true));
  }

  @Test
  void hundredsAtOnceAreAllAnswered() throws Exception {
    List<Future<Response>> answers = new ArrayList<>();
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        ClusterState state = waiting();
        answers.add(all.submit(() -> ask(state, 7, 1001, false)));
      }
    }
    int tried = 0;
    for (Future<Response> answer : answers) {
      Response.Explained told = assertInstanceOf(Response.Explained.class, answer.get());
      Story.Waits waits = assertInstanceOf(Story.Waits.class, told.explanation().story());
      tried += waits.depth() == Story.Depth.NOTHING ? 0 : 1;
    }
    assertTrue(tried > 0, "nobody was told anything that was tried");
  }
}

package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps that wait for room in their jobs, as they are listed. */
@Tag("pure")
final class WaitingStepsTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");
  private static final UserIdentity ALICE = new UserIdentity(1000, 100, "alice", "users");
  private static final StepSpec FIRST = StepSpec.of("first", 2).withProcessId(7);
  private static final StepSpec SECOND = StepSpec.of("second", 1).withProcessId(8);

  private ClusterState state = running("none");
  private Instant now = NOW;
  private final StepService steps =
      new StepService(
          new StepService.Source(() -> state, () -> PendingVerdicts.NONE, () -> now),
          new StateWaiters(),
          message -> message);

  /** Job 7 has both CPUs of n1, and its step 0 has them. */
  private static ClusterState running(String privateData) {
    String text =
        """
        SlurmctldHost=vm
        ClusterName=lab
        PrivateData=%s
        NodeName=n1 CPUs=2 RealMemory=1000
        PartitionName=debug Nodes=n1 Default=YES
        """
            .formatted(privateData);
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    NodeShare held = new NodeShare("n1", List.of(0, 1), 2, 100, 2);
    StepShare own = new StepShare("n1", List.of(0, 1), 2, 100, List.of(0, 1));
    JobSpec spec =
        JobSpec.of("fit", List.of("debug"), ResourceRequest.of(1, 2, 1), new TimeLimit.Unlimited());
    List<Event> events =
        List.of(
            new Event.Configured(config, NOW),
            new Event.JobSubmitted(
                7,
                NOW,
                ALICE,
                spec,
                Workload.BatchSpec.nothing("/"),
                1,
                Hold.NONE,
                List.of(),
                null,
                null),
            new Event.JobStarted(
                7, 1, new Allocation("debug", List.of(held)), NOW, null, false, false),
            new Event.StepCreated(
                7, 1, LaunchedStep.begun(0, StepSpec.of("holder", 2), List.of(own), NOW, null)));
    ClusterState state = ClusterState.initial(config);
    for (Event event : events) {
      state = EventApplier.apply(state, event);
    }
    return state;
  }

  private static Caller.User user(UserIdentity identity) {
    return new Caller.User(identity, List.of(), false);
  }

  private Response await(StepSpec spec) throws InterruptedException {
    return steps.awaitRoom(new Request.AwaitStepRoom(7, spec, 0), user(ALICE));
  }

  private void begin(int number, StepSpec spec) {
    StepShare own = new StepShare("n1", List.of(0), 1, 100, List.of(0));
    LaunchedStep begun = LaunchedStep.begun(number, spec, List.of(own), NOW, null);
    state = EventApplier.apply(state, new Event.StepCreated(7, 1, begun));
  }

  private void end(int number) {
    Event over = new Event.StepPartEnded(7, 1, number, "n1", ExitStatus.OK, NOW, null);
    state = EventApplier.apply(state, over);
  }

  private List<String> listed(UserIdentity caller, Integer... jobs) {
    return assertInstanceOf(Response.WaitingSteps.class, steps.waiting(List.of(jobs), user(caller)))
        .steps()
        .stream()
        .map(step -> step.jobId() + " " + step.processId())
        .toList();
  }

  @Test
  void theyAreListedInTheirOrder() throws InterruptedException {
    assertEquals(List.of(), listed(ALICE));
    await(SECOND);
    await(FIRST);
    await(SECOND);
    assertEquals(List.of("7 8", "7 7"), listed(ALICE));
    assertEquals(List.of("7 8", "7 7"), listed(ALICE, 7));
    assertEquals(List.of(), listed(ALICE, 8));
  }

  @Test
  void oneThatIsNotHeardOfIsNotListed() throws InterruptedException {
    await(FIRST);
    now = NOW.plusSeconds(1);
    await(SECOND);
    now = NOW.plusSeconds(2);
    assertEquals(List.of("7 8"), listed(ALICE));
  }

  @Test
  void oneThatHasBegunIsNotListed() throws InterruptedException {
    await(FIRST);
    await(SECOND);
    begin(1, FIRST);
    assertEquals(List.of("7 8"), listed(ALICE));
  }

  @Test
  void oneThatHasEndedIsNotListed() throws InterruptedException {
    await(SECOND);
    end(0);
    await(FIRST);
    assertEquals(List.of("7 8", "7 7"), listed(ALICE));
    now = NOW.plusSeconds(2); // the second was not heard of again
    await(FIRST);
    assertEquals(List.of("7 7"), listed(ALICE), "it was told to ask, and has not yet");
    begin(1, FIRST);
    assertEquals(List.of(), listed(ALICE));
    end(1);
    assertEquals(List.of(), listed(ALICE));
  }

  @Test
  void oneWaitsUntilItsJobGoesOn() throws InterruptedException {
    end(0);
    JobState.Suspended.Cause cause = JobState.Suspended.Cause.OPERATOR;
    state = EventApplier.apply(state, new Event.JobSuspended(7, 1, NOW, cause, null));
    assertInstanceOf(Response.StillWaiting.class, await(FIRST));
    assertEquals(List.of("7 7"), listed(ALICE));
    state = EventApplier.apply(state, new Event.JobResumed(7, 1, NOW, null));
    assertInstanceOf(Response.Decided.class, await(FIRST));
  }

  @Test
  void aCallHasTheBoundsOfAStep() throws InterruptedException {
    StepSpec spec = FIRST.withHost("x".repeat(RequestBounds.TEXT + 1));
    Response answer = steps.awaitRoom(new Request.AwaitStepRoom(7, spec, 0), user(ALICE));
    assertEquals(
        "host: 1025 bytes, at most 1024 are taken",
        assertInstanceOf(Response.Failed.class, answer).detail());
    assertEquals(List.of(), listed(ALICE));
  }

  @Test
  void privateJobsOfOthersAreNotShown() throws InterruptedException {
    UserIdentity bob = new UserIdentity(1001, 100, "bob", "users");
    await(FIRST);
    assertEquals(List.of("7 7"), listed(bob));
    state = running("jobs");
    assertEquals(List.of(), listed(bob));
    assertEquals(List.of("7 7"), listed(ALICE));
  }
}

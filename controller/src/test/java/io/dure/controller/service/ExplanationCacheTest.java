package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.controller.view.PendingVerdicts;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.JobSelector;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Hold;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is told why a job waits, and how many at a time. */
@Tag("process")
final class ExplanationCacheTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");

  /** Every turn comes: what is told does not depend on how fast the machine is. */
  private static final Duration TURN = Duration.ofMinutes(10);

  private final ExplanationCache desk =
      new ExplanationCache(
          new CallerDirectory(CachedUserDatabase.ofThisMachine(), 0, "here"), () -> NOW, TURN);

  private static Caller.User user(int uid) {
    return new Caller.User(new UserIdentity(uid, uid, "u" + uid, "users"), List.of(), false);
  }

  private static JobSpec spec() {
    ResourceRequest asked = ResourceRequest.of(1, 1, 1).withMemory(new MemoryRequest.PerNode(100));
    return JobSpec.of("job", List.of("debug"), asked, TimeLimit.minutes(10));
  }

  private static ClusterState waiting() {
    return waiting("", 7);
  }

  /** A job of its own user under each of these ids. */
  private static ClusterState waiting(String more, int... jobs) {
    String text =
        """
        SlurmctldHost=vm
        ClusterName=lab
        NodeName=n1 CPUs=4 RealMemory=1000
        PartitionName=debug Nodes=n1 Default=YES MaxTime=60
        """
            + more;
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    Workload.BatchSpec batch = Workload.BatchSpec.nothing("/tmp");
    List<Event> events = new ArrayList<>();
    events.add(new Event.Configured(config, NOW));
    for (int job : jobs) {
      UserIdentity owner = user(job == 7 ? 1001 : job).identity();
      events.add(
          new Event.JobSubmitted(
              job, NOW, owner, spec(), batch, 1, Hold.NONE, List.of(), null, null));
    }
    return EventApplier.applyAll(ClusterState.initial(config), events);
  }

  private Response ask(ClusterState state, int job, int uid) throws InterruptedException {
    return desk.answer(state, PendingVerdicts.NONE, new JobSelector(job, null), user(uid), false);
  }

  @Test
  void unknownJobsAndThoseOfOthersAreInvalid() throws InterruptedException {
    ClusterState state = waiting("PrivateData=jobs\n", 7);
    Response.Failed unknown = assertInstanceOf(Response.Failed.class, ask(state, 8, 1001));
    assertEquals(ErrorCode.INVALID_JOB_ID, unknown.code());
    assertInstanceOf(Response.Failed.class, ask(state, 7, 1002));
    assertInstanceOf(Response.Explained.class, ask(state, 7, 1001));
    assertInstanceOf(Response.Explained.class, ask(waiting(), 7, 1002));
  }

  @Test
  void whoAsksOfTheSameJobIsToldTheSame() throws Exception {
    ClusterState state = waiting();
    List<Future<Response>> answers = new ArrayList<>();
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3000; i++) {
        int uid = 1000 + i % 100;
        answers.add(all.submit(() -> ask(state, 7, uid)));
      }
    }
    Set<JobExplanation> told = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Future<Response> answer : answers) {
      told.add(assertInstanceOf(Response.Explained.class, answer.get()).explanation());
    }
    assertEquals(1, told.size(), "worked out more than once");
    assertTrue(isTried(told.iterator().next()));
  }

  private static boolean isTried(JobExplanation told) {
    return assertInstanceOf(JobSituation.Waits.class, told.story()).depth()
        != JobSituation.Depth.NOTHING;
  }

  @Test
  void hundredThousandJobsMayAskAtOnce() throws Exception {
    int[] jobs = IntStream.rangeClosed(10_001, 10_100).toArray();
    List<Future<Response>> answers = new ArrayList<>();
    ClusterState last = waiting("", jobs);
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int version = 0; version < 1000; version++) {
        ClusterState state = version % 100 == 0 ? waiting("", jobs) : last;
        last = state;
        for (int job : jobs) {
          answers.add(all.submit(() -> ask(state, job, job)));
        }
      }
    }
    int explained = 0;
    for (Future<Response> answer : answers) {
      Response told = answer.get();
      explained += told instanceof Response.Explained ? 1 : 0;
      if (!(told instanceof Response.Explained)) {
        assertEquals(ErrorCode.RATE_LIMITED, assertInstanceOf(Response.Failed.class, told).code());
      }
    }
    assertEquals(100_000, answers.size());
    assertTrue(explained > 0);
  }

  @Test
  void whoAsksMuchIsInNobodysWay() throws Exception {
    int[] jobs = IntStream.rangeClosed(1, 2000).toArray();
    ClusterState state = waiting("", jobs);
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int job : jobs) {
        if (job != 7) {
          Future<Response> _ = all.submit(() -> ask(state, job, 5000));
        }
      }
      Response told = all.submit(() -> ask(state, 7, 1001)).get();
      assertTrue(isTried(assertInstanceOf(Response.Explained.class, told).explanation()));
    }
  }
}

package io.dure.controller.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.NodeCriteria;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.surface.squeue.JobMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the controller leaves out of a listing. */
@Tag("pure")
final class ListingFiltersTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");

  private static ClusterState cluster() {
    String text =
        """
        SlurmctldHost=vm
        ClusterName=lab
        NodeName=n[1-3] CPUs=4 RealMemory=1000
        PartitionName=debug Nodes=n[1-3] Default=YES
        """;
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    return EventApplier.apply(ClusterState.initial(config), new Event.Configured(config, NOW));
  }

  private static Job job(String account) {
    JobSpec spec =
        JobSpec.of("fit", List.of("debug"), ResourceRequest.of(1, 1, 1), new TimeLimit.Unlimited())
            .withAccount(account);
    Event submitted =
        new Event.JobSubmitted(
            7,
            NOW,
            new UserIdentity(1000, 100, "alice", "users"),
            spec,
            Workload.BatchSpec.nothing("/"),
            4_000_000_000L,
            Hold.NONE,
            List.of(),
            null,
            null);
    Job job = EventApplier.apply(cluster(), submitted).job(7);
    assertNotNull(job);
    return job;
  }

  private static boolean isKept(JobCriteria criteria) {
    List<Job> jobs = new ArrayList<>(List.of(job("physics")));
    ListingFilters.keep(criteria, jobs);
    return !jobs.isEmpty();
  }

  private static Response nodes(NodeCriteria criteria) {
    Caller.User caller =
        new Caller.User(new UserIdentity(1001, 100, "bob", "users"), List.of(), false);
    return ListingFilters.only(
        criteria,
        ClusterView.of(cluster(), PendingVerdicts.NONE, _ -> null, _ -> "root", caller, NOW));
  }

  private static List<String> nodeNames(NodeCriteria criteria) {
    return assertInstanceOf(Response.Cluster.class, nodes(criteria)).nodes().stream()
        .map(node -> node.config().name())
        .toList();
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "name" + i).toList();
  }

  @Test
  void eachListMustNameTheJob() {
    assertTrue(isKept(JobCriteria.ALL));
    assertTrue(isKept(JobCriteria.ALL.withNames(List.of("other", "fit"))));
    assertFalse(isKept(JobCriteria.ALL.withNames(List.of("FIT"))));
    assertTrue(isKept(JobCriteria.ALL.withAccounts(List.of("chemistry", "Physics"))));
    assertFalse(isKept(JobCriteria.ALL.withAccounts(List.of("chemistry"))));
    assertFalse(isKept(JobCriteria.ALL.withQos(List.of("normal"))));
    assertTrue(isKept(JobCriteria.ALL.withUsers(List.of("1000"))));
    assertFalse(isKept(JobCriteria.ALL.withUsers(List.of("bob")).withNames(List.of("fit"))));
  }

  /** Criteria of a command that knows their first list only. */
  private record OlderCriteria(@Nullable List<String> first) {}

  @Test
  void aListThatAnOlderCommandDoesNotSendLetsAllPass() {
    byte[] older = RecordCodec.of(OlderCriteria.class).encode(new OlderCriteria(null));
    JobCriteria jobs = RecordCodec.of(JobCriteria.class).strict().decode(older);
    assertNull(jobs.states());
    assertEquals(List.of(), jobs.users());
    assertEquals(List.of(), jobs.reservations());
    assertTrue(isKept(jobs));
    assertFalse(new JobMatcher(jobs).matches(job("physics")));
    assertFalse(isKept(jobs.withNames(List.of("other"))));
    NodeCriteria nodes = RecordCodec.of(NodeCriteria.class).strict().decode(older);
    assertEquals(List.of(), nodes.states());
    assertEquals(List.of("n1", "n2", "n3"), nodeNames(nodes));
    assertEquals(List.of("n2"), nodeNames(new NodeCriteria(List.of("n2"), null, null, false)));
  }

  @Test
  void aLongListCostsNoMoreThanAShortOne() {
    List<String> many = names(WireCodecs.MAX_NAMES);
    JobMatcher matcher =
        JobMatcher.ofRequest(new JobCriteria(null, many, many, many, many, many, many, many, many));
    JobMatcher byName = JobMatcher.ofRequest(JobCriteria.ALL.withNames(many));
    Job job = job("physics");
    // 200,000 times through a list would take minutes.
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 200_000; i++) {
            assertFalse(matcher.matches(job));
            assertFalse(byName.matches(job));
          }
        });
  }

  @Test
  void listsThatNoCommandLineHasRoomForAreRefused() {
    assertNull(ListingFilters.refusal(null));
    assertNull(ListingFilters.refusal(JobCriteria.ALL.withNodes(names(65_536))));
    Response.Failed refused = ListingFilters.refusal(JobCriteria.ALL.withNodes(names(65_537)));
    assertEquals(
        new Response.Failed(
            ErrorCode.BAD_INPUT, "A list has 65537 names, at most 65536 are possible."),
        refused);
    assertEquals(refused, nodes(new NodeCriteria(names(65_537), null, null, false)));
    assertEquals(refused, nodes(new NodeCriteria(null, List.of(names(65_537)), null, false)));
  }
}

package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventFollower;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that the accounting database takes for running and that the controller does not have. */
@Tag("process")
class RunawayJobsInBooksTest {
  private static final Caller.User ROOT = caller("root", true);

  @TempDir Path temp;
  private final TestCluster cluster = ClusterBuilder.of(2).cpus(1).start();
  private ClusterAccounting accounting;
  private ClusterState seen;
  private HistoryService service;

  private static Caller.User caller(String name, boolean operator) {
    return new Caller.User(new UserIdentity(0, 0, name, name), List.of(), operator);
  }

  @BeforeEach
  void open() throws IOException {
    String text =
        "SlurmctldHost=vm\nClusterName=main\nStateSaveLocation="
            + temp
            + "\nNodeName=n1 CPUs=4 RealMemory=1000\nPartitionName=debug Nodes=n1\n";
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    KeptLog log = new KeptLog();
    accounting =
        Objects.requireNonNull(
            ClusterAccounting.of(
                config,
                new ClusterAccounting.Surroundings(InstantSource.system(), new SoundDisk(), log),
                new ClusterAccounting.Group(() -> true, (_, _) -> {}, List.of()),
                bug -> {
                  throw new AssertionError(bug);
                }));
    service = new HistoryService(() -> seen, _ -> null, InstantSource.system(), accounting, log);
    EventFollower feed = ClusterAccounting.follower(accounting);
    feed.begin(cluster.steps().getFirst().before());
    for (int i = 0; i < 3; i++) {
      var _ = cluster.submit(TestCluster.ALICE, JobBuilder.job().name("job " + i).runs(5000));
    }
    cluster.seconds(10);
    for (TestCluster.Step step : cluster.steps()) {
      feed.happened(List.of(step.event()), step.after());
    }
    seen = cluster.state();
  }

  @AfterEach
  void close() throws IOException {
    accounting.close();
  }

  private Response end(List<AttemptId> attempts, Caller.User caller) {
    return service.endRunaways(new Request.EndRunawayJobs(attempts, null), caller);
  }

  private List<AttemptId> runaways() {
    return ((Response.JobHistory) service.runaways(null, ROOT))
        .jobs().stream().map(RecordedJob::attempt).toList();
  }

  @Test
  void whatTheControllerHasIsNoneAndCannotBeEnded() {
    assertEquals(List.of(), runaways());
    List<AttemptId> all = seen.jobs().stream().map(AttemptId::of).toList();
    assertEquals(3, all.size());
    assertEquals(new Response.Decided(new Reply.Done()), end(all, ROOT));
    seen = cluster.steps().getFirst().before();
    assertEquals(all, runaways());
  }

  @Test
  void whatItDoesNotHaveIsListedUntilItIsEnded() {
    assertEquals(List.of(), runaways(), "which waits for all records");
    List<AttemptId> all = seen.jobs().stream().map(AttemptId::of).toList();
    seen = cluster.steps().getFirst().before();
    assertEquals(all, runaways());
    Response.Decided done = new Response.Decided(new Reply.Done());
    assertEquals(done, end(all.subList(0, 2), ROOT));
    assertEquals(all.subList(2, 3), runaways());
    assertEquals(done, end(all, ROOT));
    assertEquals(List.of(), runaways());
  }

  @Test
  void withoutSlurmdbdThereIsNoOtherCluster() {
    Response no = new Response.Failed(ErrorCode.BAD_INPUT, "there is no cluster right");
    assertEquals(no, service.runaways("right", ROOT));
    assertEquals(no, service.endRunaways(new Request.EndRunawayJobs(List.of(), "right"), ROOT));
    assertEquals(service.runaways(null, ROOT), service.runaways("test", ROOT));
  }

  @Test
  void itIsForOperatorsAlone() {
    Response no = new Response.Failed(ErrorCode.ACCESS_DENIED, ErrorCode.ACCESS_DENIED.text());
    Caller.User alice = caller("alice", false);
    assertEquals(no, service.runaways(null, alice));
    assertEquals(no, end(List.of(), alice));
  }
}

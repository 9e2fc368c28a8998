package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.history.WorkBacklog;
import io.dure.model.job.Job;
import io.dure.model.request.ResourceRequest;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After how long starts are reserved for jobs, under Dure's own order. */
@Tag("pure")
class WaitBoundTest {
  private static final PolicySettings POLICY = TestSettings.policy("dure_backlog_share=100");

  @Test
  void theBoundIsAPartOfTheBacklogThatWasKnownWhenTheJobCame() {
    TestCluster cluster = TestCluster.busy("dure_backlog_share=60,dure_wide_earlier=0");
    cluster.submit(j -> j.tasks(4).minutes(600));
    // Ten hours of four CPUs, of which 60 percent count.
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(2, 4 * 36_000L));
    assertEquals(6 * 3600L, cluster.standing(2).boundSeconds());
    cluster.runs = cluster.runs.withWaiting(4_000_000);
    assertEquals(6 * 3600L, cluster.standing(2).boundSeconds(), "whatever comes later");
  }

  @ParameterizedTest
  @CsvSource({"0, 3600", "4000000000, 259200"})
  void theBoundIsWithinItsBounds(long backlog, long seconds) {
    TestCluster cluster = TestCluster.busy("dure_most_bound=72,dure_wide_earlier=0");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(2, backlog));
    assertEquals(seconds, cluster.standing(2).boundSeconds());
  }

  @ParameterizedTest
  @CsvSource({"4, 45, 5.5", "1, 45, 9.4375", "2, 45, 8.409", "4, 100, 1", "4, 0, 10"})
  void theBoundIsTheShorterTheWiderAJobIs(int cpus, int earlier, double hours) {
    TestCluster cluster =
        TestCluster.busy("dure_backlog_share=100,dure_least_bound=1,dure_wide_earlier=" + earlier);
    cluster.submit(j -> j.tasks(cpus).minutes(600));
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(2, 4 * 36_000L));
    assertEquals(hours * 3600, (double) cluster.standing(2).boundSeconds(), 1);
  }

  @ParameterizedTest
  @CsvSource({"small, 5.5", "large, 9.4375", "small large, 9.4375"})
  void aJobIsAsWideAsThePartOfItsLargestPartitionThatItAsksFor(String partitions, double hours) {
    TestCluster cluster = TestCluster.nodes(4, 1).backfill();
    cluster.policy = POLICY;
    cluster.with(TestCluster.partition("small", List.of("n2")));
    cluster.with(TestCluster.partition("large", List.of("n1", "n2", "n3", "n4")));
    cluster.submit(j -> j.tasks(1).minutes(600).partition(partitions.split(" ")));
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(1, 4 * 36_000L));
    assertEquals(hours * 3600, (double) cluster.standing(1).boundSeconds(), 1);
  }

  @ParameterizedTest
  @CsvSource({
    "CORE, NO, false, 9.4375",
    "CORE, NO, true, 5.5",
    "CORE, EXCLUSIVE, false, 5.5",
    "NODE, NO, false, 5.5"
  })
  void aJobThatGetsWholeNodesIsAsWideAsItsNodes(
      ClusterSettings.Unit unit,
      PartitionConfig.OverSubscribe.Mode mode,
      boolean exclusive,
      double hours) {
    TestCluster cluster = TestCluster.nodes(2, 4).backfill().unit(unit);
    cluster.policy = POLICY;
    cluster.with(
        TestCluster.partition("debug", List.of("n1", "n2"))
            .withSharing(new PartitionConfig.OverSubscribe(mode, 1)));
    cluster.submit(j -> (exclusive ? j.exclusive() : j).nodes(2).tasks(2).minutes(600));
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(1, 8 * 36_000L));
    assertEquals(hours * 3600, (double) cluster.standing(1).boundSeconds(), 1);
  }

  /** The bound in hours, after a backlog of ten hours of all CPUs. */
  private static double hours(TestCluster cluster, UnaryOperator<JobBuilder> options) {
    cluster.policy = POLICY;
    int id = cluster.submit(j -> options.apply(j.minutes(600)));
    double cpus = 0;
    for (TestView.TestNode node : cluster.nodes) {
      cpus += node.exists() ? node.config().shape().cpus() : 0;
    }
    long backlog = Math.round(cpus * 36_000);
    cluster.runs = cluster.runs.withBacklogs(IntMap.<Long>empty().with(id, backlog));
    return (double) cluster.standing(id).boundSeconds() / 3600;
  }

  @Test
  void aJobIsAsWideAsWhatItTakesOnItsNodes() {
    assertEquals(5.5, hours(TestCluster.nodes(2, 4), j -> j.nodes(2).minCpus(4)), 0.01);
    assertEquals(5.5, hours(TestCluster.nodes(2, 4), j -> j.nodes(2).mem(0)), 0.01);
    assertEquals(5.5, hours(TestCluster.nodes(2, 4), j -> j.nodes(2).mem(1000)), 0.01);
    assertEquals(8.409, hours(TestCluster.nodes(2, 4), j -> j.tasks(1).memPerCpu(1000)), 0.01);
    assertEquals(9.4375, hours(TestCluster.nodes(2, 4), j -> j.tasks(2)), 0.01);
    UnaryOperator<JobBuilder> spread = j -> j.tasks(2).tasksPerNode(1).exclusive();
    assertEquals(5.5, hours(TestCluster.nodes(2, 4), spread), 0.01);
  }

  @Test
  void aTaskThatHasACoreForItselfTakesAllItsThreads() {
    TestCluster threads = new TestCluster().node("n1", 1, 4, 2, 1000, 1);
    assertEquals(8.409, hours(threads, j -> j.tasks(4)), 0.01);
    assertEquals(5.5, hours(threads, j -> j.tasks(4).threadsPerCore(1)), 0.01);
  }

  @Test
  void aJobIsAtLeastAsWideAsItsPartitionDemands() {
    TestCluster cluster = TestCluster.nodes(4, 4);
    PartitionConfig all = TestCluster.partition("debug", List.of("n1", "n2", "n3", "n4"));
    cluster.with(
        all.withLimits(
            new PartitionConfig.Limits(null, null, 4, Integer.MAX_VALUE, Integer.MAX_VALUE)));
    assertEquals(5.5, hours(cluster, j -> j.exclusive()), 0.01);
  }

  @Test
  void nodesThatDoNotExistYetDoNotCount() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    assertEquals(5.5, hours(cluster.future("n2"), j -> j.tasks(4)), 0.01);
  }

  @Test
  void aPartitionInWhichAJobCannotRunDoesNotCount() {
    TestCluster cluster = TestCluster.nodes(4, 4).gpus(8);
    cluster.with(TestCluster.partition("cpu", List.of("n1", "n2", "n3")));
    cluster.with(TestCluster.partition("gpu", List.of("n4")));
    assertEquals(5.5, hours(cluster, j -> j.partition("cpu", "gpu").gpus(8)), 0.01);
  }

  @Test
  void theBoundOfAJobForGpusFollowsWhatWaitsForGpus() {
    TestCluster cluster = TestCluster.nodes(1, 64).gpus(8);
    cluster.policy = TestSettings.policy("dure_backlog_share=100,dure_wide_earlier=0");
    cluster.submit(j -> j.tasks(1).gpus(1).minutes(600));
    cluster.submit(j -> j.tasks(1).minutes(600));
    IntMap<Long> came = IntMap.<Long>empty().with(1, 64 * 7_200L).with(2, 64 * 7_200L);
    WorkBacklog gpus = WorkBacklog.EMPTY.withBacklogs(IntMap.<Long>empty().with(1, 8 * 36_000L));
    cluster.runs = cluster.runs.withBacklogs(came).withGpus(gpus);
    assertEquals(36_000, cluster.standing(1).boundSeconds(), "ten hours of the GPUs");
    assertEquals(7_200, cluster.standing(2).boundSeconds(), "two hours of the CPUs");
  }

  @Test
  void whatWaitsForGpusIsCountedBesideWhatWaitsForCpus() {
    TestCluster cluster = TestCluster.nodes(1, 64).gpus(8);
    cluster.submit(j -> j.tasks(2).gpus(8));
    cluster.submit(j -> j.tasks(2).gpus(8));
    Job training = cluster.pending.require(1);
    RunHistory book = RunHistory.EMPTY.changed(null, training);
    assertEquals(2 * 3600, book.waiting());
    assertEquals(8 * 3600, book.gpus().waiting());
    SimilarRunKey kind = SimilarRunKey.of(training.spec(), 3600);
    RunResources asked = new RunResources(2, 2, 8, 8);
    book = book.ended(7, kind, asked, new RecordedRun(1800, 3600));
    book = book.ended(7, kind, new RunResources(1, 1, 0, 0), new RecordedRun(60, 3600));
    assertEquals(4 * 3600, book.gpus().expected(), 1e-9, "a run without GPUs does not count");
    book = book.changed(null, cluster.pending.require(2));
    assertEquals(
        8 * 3600, book.gpus().backlogOf(1, TestCluster.START), 1e-9, "what waited when it came");
    assertEquals(8 * 3600, book.gpus().backlogOf(2, TestCluster.START), 1e-9);
    book = book.changed(training, null).started(TestCluster.START);
    assertEquals(8 * 3600, book.gpus().waiting());
    assertEquals(
        4 * 3600, book.gpus().backlogOf(1, TestCluster.START), 1e-9, "it is not known any more");
  }

  @Test
  void aClusterIsOverloadedByWhatWaitsForGpusAlone() {
    TestCluster cluster = TestCluster.nodes(1, 64).gpus(8);
    cluster.policy = POLICY;
    cluster.submit(j -> j.tasks(1).gpus(1).minutes(600));
    assertEquals(false, cluster.standing(1).overloaded());
    cluster.runs = cluster.runs.withGpus(WorkBacklog.EMPTY.withWaiting(8 * 200 * 3600L));
    assertEquals(true, cluster.standing(1).overloaded());
  }

  @Test
  void whatWaitsForGpusThatAreNotThereOverloadsNothing() {
    TestCluster cluster = TestCluster.nodes(1, 64);
    cluster.policy = POLICY;
    cluster.submit(j -> j.tasks(1).gpus(1).minutes(600));
    cluster.runs = cluster.runs.withGpus(WorkBacklog.EMPTY.withWaiting(8 * 200 * 3600L));
    assertEquals(false, cluster.standing(1).overloaded());
  }

  @Test
  void memoryThatIsNotGivenToJobsMakesNoneWide() {
    TestCluster cluster = TestCluster.nodes(2, 4);
    cluster.memory = false;
    assertEquals(9.4375, hours(cluster, j -> j.nodes(2).mem(0)), 0.01);
  }

  @Test
  void aPartitionWhoseNodesAreTooSmallDoesNotCount() {
    TestCluster cluster = TestCluster.nodes(6, 4).node("fat", 1, 4, 1, 4000, 1);
    cluster.with(TestCluster.partition("big", List.of("n1", "n2", "n3", "n4", "n5", "n6")));
    cluster.with(TestCluster.partition("few", List.of("fat")));
    assertEquals(7.077, hours(cluster, j -> j.partition("big", "few").mem(3000)), 0.01);
  }

  @Test
  void threadsCountOnTheNodesThatHaveThem() {
    TestCluster cluster = TestCluster.nodes(3, 4).node("smt", 1, 4, 2, 1000, 1);
    assertEquals(9.4375, hours(cluster, j -> j.tasks(4).threadsPerCore(1)), 0.01);
  }

  @Test
  void whatNoClusterHasIsCountedWithoutOverflow() {
    GresCount most = new GresCount(GresCount.GPU, null, 1L << 50);
    GresRequest gres = GresRequest.NONE.withPerSocket(List.of(most)).withCpusPerGpu(1000);
    TestCluster cluster = TestCluster.nodes(1, 4);
    cluster.submit(j -> j.gpus(1).array("0-99").minutes(60));
    Job job = cluster.pending.require(1);
    ResourceRequest asked =
        job.spec()
            .resources()
            .with()
            .minNodes(Integer.MAX_VALUE)
            .socketsPerNode(Integer.MAX_VALUE)
            .gres(gres)
            .build();
    Job huge = job.withSpec(job.spec().withResources(asked), 0);
    assertEquals(Integer.MAX_VALUE, asked.totalGpus());
    assertEquals(Integer.MAX_VALUE, asked.neededCpus());
    RunHistory book = RunHistory.EMPTY.changed(null, huge);
    assertTrue(book.waiting() > 0 && book.gpus().waiting() > 0, "counted");
    assertEquals(0, book.changed(huge, null).gpus().waiting());
    assertEquals(0, book.changed(huge, null).waiting());
  }

  @Test
  void whatAnEarlierReleaseDidNotCountIsCountedAtAStart() {
    TestCluster cluster = TestCluster.nodes(1, 64).gpus(8);
    cluster.submit(j -> j.tasks(2).gpus(8));
    RunHistory counted = RunHistory.EMPTY.changed(null, cluster.pending.require(1));
    RunHistory earlier = RunHistory.EMPTY.withEnds(5);
    assertEquals(counted.gpus(), earlier.withWaitingOf(counted).gpus());
    RunHistory known = earlier.withGpus(WorkBacklog.EMPTY.withPeak(7));
    assertEquals(7, known.withWaitingOf(counted).gpus().peak());
    assertEquals(counted.gpus().waiting(), known.withWaitingOf(counted).gpus().waiting());
  }
}

package io.dure.controller.service;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.cluster.NodeRecord;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingVerdict;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who watches the jobs hears of what changes how they look, and of nothing else. */
@Tag("pure")
class JobChangeCounterTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final TestCluster cluster = ClusterBuilder.of(2).start();
  private final JobChangeCounter news = new JobChangeCounter(cluster.state(), TestCluster.START);

  private long version() {
    return await(0, LONG);
  }

  private long await(long seen, Duration longest) {
    return await(news, seen, longest);
  }

  private static long await(JobChangeCounter news, long seen, Duration longest) {
    try {
      return news.await(seen, longest);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static PendingVerdicts judged(String reason, long second) {
    return new PendingVerdicts(
        IntMap.<PendingVerdict>empty().with(7, new PendingVerdict(reason, null, List.of())),
        Instant.ofEpochSecond(second));
  }

  @Test
  void whoHasSeenNothingIsAnsweredAtOnce() {
    assertNotEquals(0, version());
  }

  @Test
  void allWhoWaitHearOfASubmission() {
    long seen = version();
    List<CompletableFuture<Long>> watchers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      watchers.add(
          CompletableFuture.supplyAsync(() -> await(seen, LONG), Thread::startVirtualThread));
    }
    assertFalse(watchers.stream().anyMatch(CompletableFuture::isDone), "nothing has changed");
    cluster.submit(ALICE, job().held());
    news.published(cluster.state());
    for (CompletableFuture<Long> watcher : watchers) {
      assertNotEquals(seen, watcher.join());
    }
  }

  @Test
  void aStartAndAnEndAreNews() {
    long before = version();
    cluster.submit(ALICE, job().runs(10));
    news.published(cluster.state());
    long running = version();
    assertNotEquals(before, running);
    cluster.seconds(60);
    news.published(cluster.state());
    assertNotEquals(running, version());
  }

  @Test
  void whatIsOnlyANodesAffairIsNone() {
    cluster.submit(ALICE, job().held());
    news.published(cluster.state());
    long seen = version();
    NodeRecord before = cluster.node("n2");
    cluster.disconnect("n2");
    cluster.seconds(1000);
    news.published(cluster.state());
    assertNotEquals(before, cluster.node("n2"), "something did change");
    assertEquals(seen, await(seen, Duration.ZERO));
  }

  @Test
  void aPassThatFindsTheSameIsNone() {
    news.judged(judged("Resources", 1));
    long seen = version();
    news.judged(judged("Resources", 2));
    assertEquals(seen, await(seen, Duration.ZERO));
    news.judged(judged("Priority", 3));
    assertNotEquals(seen, version());
    news.judged(PendingVerdicts.NONE);
    assertNotEquals(seen, version());
  }

  @Test
  void aControllerThatStartedLaterHasOtherVersions() {
    long before = version();
    JobChangeCounter later = new JobChangeCounter(cluster.state(), TestCluster.START.plusMillis(1));
    assertNotEquals(before, await(later, 0, LONG));
  }
}

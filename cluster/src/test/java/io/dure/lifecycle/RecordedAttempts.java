package io.dure.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an accounting database would hold after the steps of a cluster, row by row. */
final class RecordedAttempts {
  private final Map<AttemptId, AccountingRecord.JobAttempt> attempts = new LinkedHashMap<>();
  private final Set<String> begun = new HashSet<>();
  private final Set<String> over = new HashSet<>();
  private final Map<AttemptId, Instant> suspended = new HashMap<>();
  private final Map<AttemptId, Duration> pauses = new HashMap<>();
  private final Map<String, String> outages = new HashMap<>();
  private AccountingRecord.@Nullable ClusterCapacity capacity;

  /** What reports and listings take from a row. */
  private record Row(
      @Nullable Object array,
      Instant submitted,
      @Nullable Instant eligible,
      Class<?> state,
      @Nullable Instant start,
      @Nullable Instant end,
      @Nullable JobOutcome outcome,
      @Nullable List<String> nodes) {
    static Row of(Job job) {
      JobState state = job.state();
      JobState.Running run = state.runningOrSuspended();
      Allocation held = state instanceof JobState.Ended e ? e.allocation() : state.allocated();
      return new Row(
          job.array(),
          job.submitTime(),
          job.eligibleTime(),
          state instanceof JobState.Completing ? JobState.Ended.class : state.getClass(),
          run != null
              ? run.start()
              : state instanceof JobState.Completing c
                  ? c.start()
                  : state instanceof JobState.Ended e ? e.start() : null,
          state instanceof JobState.Completing c
              ? c.end()
              : state instanceof JobState.Ended e ? e.end() : null,
          state instanceof JobState.Completing c
              ? c.outcome()
              : state instanceof JobState.Ended e ? e.outcome() : null,
          held == null ? null : held.nodes());
    }
  }

  void add(List<TestCluster.Step> steps) {
    for (TestCluster.Step step : steps) {
      for (AccountingRecord record :
          AccountingRecorder.records(
              step.before(), step.event(), step.after(), step.after().texts())) {
        add(record);
      }
    }
  }

  private void add(AccountingRecord record) {
    switch (record) {
      case AccountingRecord.JobAttempt attempt -> {
        AccountingRecord.JobAttempt known = attempts.put(attempt.attempt(), attempt);
        assertTrue(known == null || !known.requeued(), () -> "changed after its end: " + known);
      }
      case AccountingRecord.StepBegun step ->
          assertTrue(begun.add(step.attempt() + "." + step.step()), () -> "begun twice: " + step);
      case AccountingRecord.JobText text ->
          assertTrue(attempts.containsKey(text.attempt()), () -> "of no job: " + text);
      case AccountingRecord.StepPart part -> {
        String step = part.attempt() + "." + part.step();
        assertTrue(begun.contains(step), () -> "ended, and never began: " + part);
        assertTrue(!part.over() || over.add(step), () -> "ended twice: " + part);
      }
      case AccountingRecord.JobPause pause -> add(pause);
      case AccountingRecord.NodeOutage outage -> outages.put(outage.node(), outage.state());
      case AccountingRecord.ClusterCapacity has -> capacity = has;
      case AccountingRecord.NodesOut out ->
          outages.keySet().retainAll(HostList.expand(out.nodes()));
      case AccountingRecord.AccountsChange _,
          AccountingRecord.ReservationTime _,
          AccountingRecord.JobCorrected _,
          AccountingRecord.JobOver _ -> {}
    }
  }

  private void add(AccountingRecord.JobPause pause) {
    Instant end = pause.end();
    if (end == null) {
      Instant since = suspended.put(pause.attempt(), pause.start());
      assertTrue(since == null || since.equals(pause.start()), () -> "twice: " + pause);
    } else {
      assertEquals(pause.start(), suspended.remove(pause.attempt()), () -> "no begin: " + pause);
      pauses.merge(pause.attempt(), Duration.between(pause.start(), end), Duration::plus);
    }
  }

  /** Each job of a state has a row that says the same, and each attempt before its last is over. */
  void check(ClusterState state) {
    for (Job job : state.jobs()) {
      AccountingRecord.JobAttempt row = attempts.get(AttemptId.of(job));
      assertNotNull(row, () -> "no row of " + job);
      assertEquals(Row.of(job), Row.of(row.job()), () -> "row of job " + job.displayId());
      if (job.state() instanceof JobState.Ended ended) {
        Duration paused = ended.pauses() == null ? Duration.ZERO : ended.pauses().total();
        assertEquals(paused, pauses.getOrDefault(row.attempt(), Duration.ZERO), "suspended");
        assertNull(suspended.get(row.attempt()), "is suspended");
      }
    }
    checkNodes(state);
  }

  private void checkNodes(ClusterState state) {
    long cpus = 0;
    for (NodeRecord node : state.nodes().values()) {
      cpus += node.exists() ? node.config().effectiveCpus() : 0;
      NodeCondition held = node.condition();
      String outage = outages.getOrDefault(node.name(), "");
      if (held.down() && node.exists()) {
        assertTrue(outage.startsWith("DOWN"), () -> node.name() + " is down: " + outage);
      } else if (!held.drain() && !held.fail() && held.away() == null) {
        assertEquals("", outage, () -> node.name() + " is up");
      }
    }
    assertNotNull(capacity);
    assertEquals(cpus, capacity.tres().of(TresAmounts.CPU));
  }
}

package io.dure.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The code and the tables of docs/states-and-events.md say the same: every transition of a table is
 * visited and leads where it says, no other one happens, and everything else is refused.
 */
@Tag("pure")
class TransitionTableTest {
  private static final String NONE = "none";

  private final List<Scene> scenes = Scene.all();
  private final List<NodeMatrix.Condition> conditions = NodeMatrix.conditions();

  @Test
  void theTablesNameEveryEventAndState() {
    ContractTable jobs = new ContractTable("Pending");
    ContractTable nodes = new ContractTable("connected");
    TreeSet<String> all =
        Arrays.stream(Event.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> named = jobs.events();
    named.addAll(nodes.events());
    named.addAll(List.of("ChangeAnswered", "PartitionDefined", "PartitionDeleted", "TextStored"));
    named.addAll(List.of("ReservationDefined", "ReservationDeleted"));
    named.addAll(List.of("AccountingChanged", "UsageReset", "SliceTurned", "ForecastsMade"));
    named.add("AccountingReplaced");
    named.add("UsageElsewhereChanged");
    named.addAll(List.of("CompletionsRecorded", "JobsCorrected", "TriggerChanged"));
    named.addAll(List.of("TriggersCleared", "TriggerFired", "CrontabStored", "CronJobDisabled"));
    assertEquals(all, named);
    TreeSet<String> states =
        Arrays.stream(JobState.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    states.add(NONE);
    assertEquals(states, new TreeSet<>(jobs.columns()));
  }

  @Test
  void jobsMoveAsTheTableSaysAndEveryWayIsVisited() {
    ContractTable table = new ContractTable("Pending");
    Map<String, Set<String>> visited = new TreeMap<>();
    List<TestCluster.Step> steps = new ArrayList<>(JobMatrix.of(scenes).steps());
    scenes.forEach(s -> steps.addAll(s.cluster().steps()));
    for (TestCluster.Step step : steps) {
      for (int id : jobs(step)) {
        note(visited, step.event(), word(step.before().job(id)), word(step.after().job(id)));
      }
    }
    compare(table, visited);
  }

  @Test
  void nodesMoveAsTheTableSaysAndEveryWayIsVisited() {
    ContractTable table = new ContractTable("connected");
    Map<String, Set<String>> visited = new TreeMap<>();
    List<TestCluster.Step> steps = new ArrayList<>(NodeMatrix.of(conditions).steps());
    conditions.forEach(c -> steps.addAll(c.cluster().steps()));
    for (TestCluster.Step step : steps) {
      for (String name : nodes(step)) {
        String before = word(step.before().node(name));
        // A node that left the configuration is the one thing that Configured may do beside.
        boolean left = step.event() instanceof Event.Configured && step.after().node(name) == null;
        if (!left) {
          note(visited, step.event(), before, word(step.after().node(name)));
        }
      }
    }
    compare(table, visited);
  }

  private static void note(
      Map<String, Set<String>> visited, Event event, String before, String after) {
    String cell = event.getClass().getSimpleName() + " in " + before;
    visited.computeIfAbsent(cell, _ -> new TreeSet<>()).add(after);
  }

  private static void compare(ContractTable table, Map<String, Set<String>> visited) {
    Map<String, Set<String>> expected = new TreeMap<>();
    for (String event : table.events()) {
      for (String state : table.columns()) {
        Set<String> next = table.next(event, state);
        if (!next.isEmpty()) {
          expected.put(event + " in " + state, next);
        }
      }
    }
    assertEquals(lines(expected), lines(visited));
  }

  private static String lines(Map<String, Set<String>> cells) {
    StringBuilder text = new StringBuilder();
    cells.forEach((cell, next) -> text.append(cell).append(": ").append(next).append('\n'));
    return text.toString();
  }

  @Test
  void jobsRefuseEveryOtherEvent() {
    ContractTable table = new ContractTable("Pending");
    TreeSet<String> sampled = new TreeSet<>();
    for (Scene scene : scenes) {
      ClusterState state = scene.cluster().state();
      for (Event event : Samples.ofJob(scene.record(), "n1")) {
        sampled.add(event.getClass().getSimpleName());
        if (table.next(event.getClass().getSimpleName(), word(scene.record())).isEmpty()) {
          assertThrows(
              IllegalStateException.class,
              () -> EventApplier.apply(state, event),
              () -> event + " in " + scene.name());
        }
      }
    }
    assertEquals(table.events(), sampled, "a sample of every event");
  }

  @Test
  void eventsOfAnotherRunAreRefused() {
    for (Scene scene : scenes) {
      Job job = scene.record();
      for (Event event : Samples.ofJob(job.withRun(job.run() + 1), "n1")) {
        boolean ofRun =
            Arrays.stream(event.getClass().getRecordComponents())
                .anyMatch(c -> c.getName().equals("run"));
        if (ofRun) {
          assertThrows(
              IllegalStateException.class,
              () -> EventApplier.apply(scene.cluster().state(), event),
              () -> event + " in " + scene.name());
        }
      }
    }
  }

  @Test
  void nodesRefuseEveryOtherEvent() {
    ContractTable table = new ContractTable("connected");
    TreeSet<String> sampled = new TreeSet<>();
    for (NodeMatrix.Condition condition : conditions) {
      ClusterState state = condition.cluster().state();
      NodeRecord node = condition.cluster().node(condition.name());
      NodeRecord known = state.node("n2");
      if (known == null || known.facts() == null) {
        continue;
      }
      for (Event event : Samples.ofNode(state, node.config(), Samples.facts(known))) {
        sampled.add(event.getClass().getSimpleName());
        if (table.next(event.getClass().getSimpleName(), word(node)).isEmpty()) {
          assertThrows(
              IllegalStateException.class,
              () -> EventApplier.apply(state, event),
              () -> event + " in " + condition.title());
        }
      }
    }
    assertEquals(table.events(), sampled, "a sample of every event");
  }

  @Test
  void whatDoesNotExistRefusesAllButItsBeginning() {
    ContractTable table = new ContractTable("Pending");
    TestCluster empty = ClusterBuilder.of(1).start();
    for (Event event : Samples.ofJob(scenes.getFirst().record(), "n1")) {
      if (table.next(event.getClass().getSimpleName(), NONE).isEmpty()) {
        assertThrows(
            IllegalStateException.class,
            () -> EventApplier.apply(empty.state(), event),
            event::toString);
      }
    }
    assertThrows(
        IllegalStateException.class,
        () -> EventApplier.apply(empty.state(), new Event.PartitionDeleted("nowhere")));
    assertTrue(empty.state().jobs().isEmpty());
  }

  private static List<Integer> array(TestCluster.Step step, int arrayJobId) {
    return step.before().records(arrayJobId).stream().map(Job::id).toList();
  }

  private static List<Integer> jobs(TestCluster.Step step) {
    return switch (step.event()) {
      case Event.JobSubmitted e -> List.of(e.jobId());
      case Event.JobHeld e -> List.of(e.jobId());
      case Event.JobReleased e -> List.of(e.jobId());
      case Event.JobUpdated e -> List.of(e.jobId());
      case Event.JobOutputChanged e -> List.of(e.jobId());
      case Event.ArrayThrottled e -> array(step, e.arrayJobId());
      case Event.ArrayTaskSplit e -> List.of(e.arrayJobId());
      case Event.DependencyChanged e -> List.of(e.jobId());
      case Event.JobEligible e -> List.of(e.jobId());
      case Event.JobStarted e -> List.of(e.jobId());
      case Event.JobConfigured e -> List.of(e.jobId());
      case Event.JobEpilogEnded e -> List.of(e.jobId());
      case Event.JobLaunched e -> List.of(e.jobId());
      case Event.JobWarned e -> List.of(e.jobId());
      case Event.JobSuspended e -> List.of(e.jobId());
      case Event.JobResumed e -> List.of(e.jobId());
      case Event.JobNoticed e -> List.of(e.jobId());
      case Event.JobEnding e -> List.of(e.jobId());
      case Event.JobExitKnown e -> List.of(e.jobId());
      case Event.RequeueRevoked e -> List.of(e.jobId());
      case Event.NodeReleased e -> List.of(e.jobId());
      case Event.AllocationShrunk e -> List.of(e.jobId());
      case Event.JobFinished e -> List.of(e.jobId());
      case Event.JobRequeued e -> List.of(e.jobId());
      case Event.JobDropped e -> List.of(e.jobId());
      case Event.StepCreated e -> List.of(e.jobId());
      case Event.StepLimitChanged e -> List.of(e.jobId());
      case Event.StepCancelled e -> List.of(e.jobId());
      case Event.StepPartEnded e -> List.of(e.jobId());
      case Event.StepExitKnown e -> List.of(e.jobId());
      case Event.BatchStepEnded e -> List.of(e.jobId());
      case Event.JobsPurged e -> e.jobIds();
      case Event.Configured _,
          Event.TextStored _,
          Event.ControllerStarted _,
          Event.NodeRegistered _,
          Event.NodeSilent _,
          Event.NodeConditionChanged _,
          Event.NodeDefined _,
          Event.NodeDeleted _,
          Event.PartitionDefined _,
          Event.PartitionDeleted _,
          Event.AccountingChanged _,
          Event.UsageReset _,
          Event.ReservationDefined _,
          Event.ReservationDeleted _,
          Event.SliceTurned _,
          Event.AccountingReplaced _,
          Event.UsageElsewhereChanged _,
          Event.ForecastsMade _,
          Event.CrontabStored _,
          Event.CronJobDisabled _,
          Event.ChangeAnswered _ ->
          List.of();
      case Event.TriggerChanged _, Event.TriggersCleared _, Event.TriggerFired _ -> List.of();
      case Event.CompletionsRecorded _, Event.JobsCorrected _ -> List.of();
    };
  }

  private static List<String> nodes(TestCluster.Step step) {
    return switch (step.event()) {
      case Event.NodeRegistered e -> List.of(e.node());
      case Event.NodeSilent e -> List.of(e.node());
      case Event.NodeConditionChanged e -> List.of(e.node());
      case Event.NodeDefined e -> List.of(e.node().name());
      case Event.NodeDeleted e -> List.of(e.node());
      case Event.ControllerStarted _, Event.Configured _ -> {
        TreeSet<String> names = new TreeSet<>();
        step.before().nodes().values().forEach(n -> names.add(n.name()));
        step.after().nodes().values().forEach(n -> names.add(n.name()));
        yield List.copyOf(names);
      }
      case Event _ -> List.of();
    };
  }

  private static String word(@Nullable Job job) {
    return job == null ? NONE : job.state().getClass().getSimpleName();
  }

  private static String word(@Nullable NodeRecord node) {
    return node == null ? NONE : node.responding() ? "connected" : "silent";
  }
}

package io.dure.node.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.step.StepConsumption;
import io.dure.node.noderun.RunId;
import io.dure.protocol.step.NodePeerMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trees of a hundred nodes that talk to each other by method calls. */
@Tag("pure")
class StepEndTreeTest {
  private static final RunId RUN = new RunId(12, 1);
  private static final int STEP = 3;
  private static final int WIDTH = 4;
  private static final StepEnd WELL = new StepEnd.Ran(ExitStatus.OK, false);
  private static final StepEnd BAD = new StepEnd.Ran(new ExitStatus(3, 0), false);

  private final List<String> nodes = HostList.expand("n[1-100]");
  private final Map<String, StepEndTree> trees = new TreeMap<>();
  private final Deque<Runnable> messages = new ArrayDeque<>();
  private final List<String> heard = new ArrayList<>();
  private final Set<String> onRecord = new HashSet<>();
  private final Set<String> forgotten = new HashSet<>();
  private Predicate<String> reachable = node -> true;
  private boolean controller = true;
  private Instant now = Instant.EPOCH;

  private void grow() {
    for (String node : nodes) {
      StepEndTree tree =
          new StepEndTree(
              Peers.over((to, message) -> send(node, to, message)),
              news -> report(node, news),
              () -> now);
      tree.begin(RUN, STEP, nodes, node, WIDTH);
      trees.put(node, tree);
    }
  }

  private boolean send(String from, String to, NodePeerMessage message) {
    if (!reachable.test(to)) {
      return false;
    }
    messages.add(
        () -> tree(to).heard(answer -> messages.add(() -> answer(from, answer)), asEnds(message)));
    return true;
  }

  private static NodePeerMessage.PartsEnded asEnds(NodePeerMessage message) {
    return (NodePeerMessage.PartsEnded) message;
  }

  private void answer(String to, NodePeerMessage answer) {
    switch (answer) {
      case NodePeerMessage.Confirmed(int job, int run, int step, long batch) ->
          confirm(to, new RunId(job, run), step, batch);
      case NodePeerMessage.Declined(int job, int run, int step, long batch) ->
          tree(to).declined(new RunId(job, run), step, batch);
      case NodePeerMessage.PartsEnded _ -> throw new AssertionError(answer);
    }
  }

  private void confirm(String node, RunId run, int step, long batch) {
    if (tree(node).confirmed(run, step, batch)) {
      forgotten.add(node);
    }
  }

  private void report(String node, Command.NodeCommand news) {
    if (controller && news instanceof Command.StepPartsEnded ends) {
      heard.add(node);
      ends.parts().forEach(part -> onRecord.addAll(HostList.expand(part.nodes())));
      messages.add(
          () -> confirm(node, new RunId(ends.jobId(), ends.run()), ends.step(), ends.batch()));
    }
  }

  private StepEndTree tree(String node) {
    return trees.getOrDefault(
        node, new StepEndTree(Peers.over(NodePeerLinks.NONE), news -> {}, () -> now));
  }

  private void settle() {
    while (!messages.isEmpty()) {
      messages.remove().run();
    }
  }

  private void pass(Duration time) {
    Instant until = now.plus(time);
    while (now.isBefore(until)) {
      now = now.plusMillis(100);
      trees.values().forEach(StepEndTree::tick);
      settle();
    }
  }

  private void end(String node) {
    assertTrue(tree(node).ended(RUN, STEP, node.endsWith("7") ? BAD : WELL));
  }

  private void assertIdle() {
    trees.forEach((node, tree) -> assertEquals(null, tree.nextWake(), node));
  }

  @Test
  void oneNodeTellsForAll() {
    grow();
    nodes.forEach(this::end);
    settle();
    assertEquals(List.of("n1"), heard);
    assertEquals(Set.copyOf(nodes), onRecord);
    assertEquals(onRecord, forgotten);
    assertIdle();
  }

  private static StepConsumption.TaskSums tasks(String node, int rank, long amount) {
    StepConsumption.Spread of = StepConsumption.Spread.of(amount, node, rank);
    return new StepConsumption.TaskSums(1, of, of, of, of, of, of, of, null);
  }

  @Test
  void endsAreTakenTogether() {
    grow();
    List<StepPartEnds> told = new ArrayList<>();
    StepEndTree root =
        new StepEndTree(
            Peers.over(NodePeerLinks.NONE),
            news -> told.addAll(((Command.StepPartsEnded) news).parts()),
            () -> now);
    root.begin(RUN, STEP, nodes, "n1", WIDTH);
    trees.put("n1", root);
    nodes.forEach(this::end);
    settle();
    assertEquals(
        List.of(
            new StepPartEnds(
                HostList.compress(nodes.stream().filter(node -> !node.endsWith("7")).toList()),
                WELL),
            new StepPartEnds("n[7,17,27,37,47,57,67,77,87,97]", BAD)),
        told);
  }

  @Test
  void whatNodesUsedIsToldInOneSum() {
    List<StepConsumption> told = new ArrayList<>();
    grow();
    StepEndTree root =
        new StepEndTree(
            Peers.over((to, message) -> send("n1", to, message)),
            news -> told.add(((Command.StepPartsEnded) news).used()),
            () -> now);
    root.begin(RUN, STEP, nodes, "n1", WIDTH);
    trees.put("n1", root);
    for (int i = 0; i < nodes.size(); i++) {
      StepConsumption used = new StepConsumption(1000 + i, 10, tasks(nodes.get(i), i, 7L * i), 0);
      assertTrue(tree(nodes.get(i)).ended(RUN, STEP, new StepEnd.Ran(ExitStatus.OK, false, used)));
    }
    settle();
    assertEquals(1, told.size());
    assertEquals(104_950, told.getFirst().userMicros());
    assertEquals(1000, told.getFirst().systemMicros());
    StepConsumption.TaskSums tasks = told.getFirst().tasks();
    assertEquals(100, tasks.count());
    assertEquals(new StepConsumption.OfTask(693, "n100", 99), tasks.memory().most());
    assertEquals(new StepConsumption.OfTask(0, "n1", 0), tasks.cpu().least());
    assertEquals(34_650, tasks.read().total());
  }

  @Test
  void aSlowNodeKeepsNobodyWaiting() {
    grow();
    nodes.stream().filter(node -> !node.equals("n50")).forEach(this::end);
    pass(Duration.ofSeconds(5));
    assertEquals(99, onRecord.size());
    assertEquals(onRecord, forgotten);
    assertTrue(heard.size() <= 5, heard.toString());
    end("n50");
    pass(Duration.ofSeconds(5));
    assertEquals(Set.copyOf(nodes), forgotten);
    assertIdle();
  }

  @Test
  void whatANodeAboveLosesIsToldByThoseBelow() {
    grow();
    trees.remove("n2");
    nodes.stream().filter(node -> !node.equals("n2")).forEach(this::end);
    pass(Duration.ofSeconds(5));
    assertEquals(99, onRecord.size());
    assertEquals(onRecord, forgotten);
    assertTrue(heard.contains("n6"), "it was declined: " + heard);
  }

  @Test
  void aNodeThatCannotBeReachedIsPassedOver() {
    grow();
    reachable = node -> !node.equals("n1");
    nodes.forEach(this::end);
    pass(Duration.ofSeconds(5));
    assertEquals(Set.of("n1", "n2", "n3", "n4", "n5"), Set.copyOf(heard));
    assertEquals(Set.copyOf(nodes), forgotten);
    assertIdle();
  }

  @Test
  void aLostConnectionHasTheControllerTold() {
    grow();
    end("n30");
    messages.clear();
    tree("n30").lost("n8");
    settle();
    assertEquals(List.of("n30"), heard);
    assertEquals(Set.of("n30"), forgotten);
  }

  @Test
  void aSilentParentIsNotWaitedForForever() {
    grow();
    end("n30");
    messages.clear();
    now = now.plusSeconds(9);
    tree("n30").tick();
    assertEquals(List.of(), heard);
    now = now.plusSeconds(1);
    tree("n30").tick();
    settle();
    assertEquals(Set.of("n30"), forgotten);
  }

  @Test
  void nothingIsLostWhileNoControllerIsThere() {
    grow();
    controller = false;
    nodes.forEach(this::end);
    pass(Duration.ofMinutes(2));
    assertEquals(Set.of(), forgotten);
    controller = true;
    trees.values().forEach(StepEndTree::connected);
    settle();
    assertEquals(Set.copyOf(nodes), onRecord);
    assertEquals(onRecord, forgotten);
  }

  @Test
  void aStepOfFewNodesHasEachTellForItself() {
    StepEndTree tree = new StepEndTree(Peers.over(NodePeerLinks.NONE), news -> {}, () -> now);
    tree.begin(
        RUN, STEP, nodes.subList(0, Peers.over(NodePeerLinks.NONE).mostDirect()), "n1", WIDTH);
    assertFalse(tree.ended(RUN, STEP, WELL));
    tree.begin(RUN, STEP, nodes, "n1", WIDTH);
    tree.forget(RUN);
    assertFalse(tree.ended(RUN, STEP, WELL));
  }

  @Test
  void aNodeThatIsLongDoneCollectsNoMore() {
    grow();
    nodes.stream().filter(node -> !node.equals("n2")).forEach(this::end);
    pass(Duration.ofMinutes(2));
    heard.clear();
    end("n2");
    settle();
    assertEquals(List.of("n2"), heard, "n1 declined it");
    assertEquals(Set.copyOf(nodes), forgotten);
  }

  @Test
  void aBadListIsDeclined() {
    grow();
    List<NodePeerMessage> answers = new ArrayList<>();
    tree("n1")
        .heard(
            answers::add,
            new NodePeerMessage.PartsEnded(
                12, 1, STEP, 9, List.of(new StepPartEnds("n[", BAD)), null));
    assertEquals(List.of(new NodePeerMessage.Declined(12, 1, STEP, 9)), answers);
  }

  @Test
  void positionsCoverTheTree() {
    for (int width : List.of(1, 2, 4, 16, 99, 1000)) {
      int children = 0;
      for (int i = 0; i < nodes.size(); i++) {
        StepTreePosition position = StepTreePosition.of(nodes, i, width);
        String self = nodes.get(i);
        int below = 1;
        for (int j = 0; j < nodes.size(); j++) {
          StepTreePosition other = StepTreePosition.of(nodes, j, width);
          below += self.equals(other.parent()) ? other.size() : 0;
          children += self.equals(other.parent()) ? 1 : 0;
        }
        assertEquals(below, position.size(), width + " " + self);
      }
      assertEquals(nodes.size() - 1, children);
    }
  }
}

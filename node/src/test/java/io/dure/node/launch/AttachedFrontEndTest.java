package io.dure.node.launch;

import static io.dure.testkit.step.StepConnection.written;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Further front ends of a step that runs under a real shepherd. */
@Tag("process")
class AttachedFrontEndTest extends ParallelStepFixture {
  /** One more front end of the step, which has heard what there was to hear. */
  private StepConnection attached() throws Exception {
    int before = spawner.news('C').size();
    StepConnection other = StepConnection.to(spawner.socket);
    other.send(new StepFrame('A'));
    int id = spawner.awaitNews('C', before + 1).number(0);
    spawner.order(StepFrame.of('J', id, spawner.lastStep() + "/control"));
    other.send(new StepFrame('T'));
    other.await('B');
    return other;
  }

  @Test
  void anAttachedFrontEndGetsTheOutputToo() throws Exception {
    try (StepConnection front = launch(shell(2, "echo ready; read x; echo $x; exit 3"))) {
      front.await('O');
      front.await('O');
      try (StepConnection other = attached()) {
        front.send(StepFrame.of('I', EVERY_TASK, "hello\n"));
        List<StepFrame> there = front.until('Z');
        List<StepFrame> here = other.until('Z');
        assertEquals("hello\n", written(here, 'O', 0));
        assertEquals("hello\n", written(there, 'O', 1));
        assertEquals(List.of(3 << 8, 3 << 8), statuses(here));
        assertEquals(0, here.stream().filter(frame -> frame.type() == 'i').count());
      }
    }
  }

  @Test
  void oneThatAttachesLateHearsOfTasksThatHaveEnded() throws Exception {
    try (StepConnection front = launch(shell(2, "[ $SLURM_PROCID = 1 ] || exec sleep 1000"))) {
      front.await('X');
      try (StepConnection other = attached()) {
        assertEquals(1, other.await('X').number(0));
        other.send(StepFrame.ofNumbers('G', 15, 0));
        assertEquals(List.of(15), statuses(other.until('Z')));
      }
    }
  }

  @Test
  void itsInputGoesToTheTasksButTheEndOfItDoesNot() throws Exception {
    try (StepConnection front = launch(shell(1, "echo ready; read x; read y; echo $x $y"))) {
      front.await('O');
      try (StepConnection other = attached()) {
        other.send(StepFrame.of('I', EVERY_TASK, "one\n"));
        other.await('i');
        other.send(StepFrame.of('I', EVERY_TASK, ""));
        other.await('i');
        front.send(StepFrame.of('I', EVERY_TASK, "two\n"));
        assertEquals("one two\n", written(other.until('Z'), 'O', 0));
      }
    }
  }

  @Test
  void oneThatDoesNotReadStopsTheTasksAndOneThatIsGoneDoesNot() throws Exception {
    String script = "echo ready; read x; head -c 8000000 /dev/zero; exit 4";
    try (StepConnection front = launch(shell(1, script))) {
      front.await('O');
      try (StepConnection _ = attached()) {
        front.send(StepFrame.of('I', EVERY_TASK, "go\n"));
        front.await('O');
      }
      assertEquals(List.of(4 << 8), statuses(front.until('Z')));
    }
  }

  @Test
  void anotherConnectionMayAskAndSignal() throws Exception {
    try (StepConnection front = launch(shell(2, "echo ready; exec sleep 1000"));
        StepConnection other = StepConnection.to(spawner.socket)) {
      StepFrame begun = front.await('B');
      other.send(new StepFrame('T'));
      int id = spawner.awaitNews('C', 2).number(0);
      spawner.order(StepFrame.of('J', id, spawner.lastStep() + "/control"));
      other.send(new StepFrame('Q'));
      assertEquals(begun.toString(), other.await('B').toString());
      other.send(StepFrame.ofNumbers('G', 15, 1));
      assertEquals(1, front.await('X').number(0));
      front.send(StepFrame.ofNumbers('G', 15, 0));
      assertEquals(List.of(15), statuses(front.until('Z')));
    }
  }
}

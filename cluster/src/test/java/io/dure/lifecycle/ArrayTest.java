package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import io.dure.testkit.cluster.Words;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One submission, many tasks. */
@Tag("pure")
class ArrayTest {
  private final TestCluster cluster =
      ClusterBuilder.of(1).set("MaxArraySize", "101").set("MaxJobCount", "150").start();

  private List<String> states(int array) {
    return cluster.state().records(array).stream()
        .map(j -> j.displayId() + " " + Words.state(j))
        .toList();
  }

  @Test
  void oneRecordUntilATaskStarts() {
    int array = cluster.submit(ALICE, job().array("0-9:3").cpus(2).runs(20));
    assertEquals(List.of("1_0 RUNNING", "1_3 RUNNING", "1_[6,9] PENDING"), states(array));
    assertEquals(List.of(2, 3, 1), ids(array));
    cluster.seconds(25);
    assertEquals(
        List.of("1_0 COMPLETED", "1_3 COMPLETED", "1_6 RUNNING", "1_9 RUNNING"), states(array));
    assertEquals(List.of(2, 3, 4, 1), ids(array), "the last task keeps the id of the array");
    cluster.seconds(30);
    assertEquals(4, cluster.state().ended().size());
  }

  private List<Integer> ids(int array) {
    return cluster.state().records(array).stream().map(Job::id).toList();
  }

  @Test
  void theThrottleHoldsBackTasks() {
    int array = cluster.submit(ALICE, job().array("1-4%1").runs(20));
    assertEquals(1, cluster.state().active().size());
    assertEquals("JobArrayTaskLimit", cluster.reason(array));
    assertNull(cluster.refusal(ALICE, Ask.update(array, new Ask.Change().throttle(2))));
    assertEquals(2, cluster.state().active().size());
    assertNull(cluster.refusal(ALICE, Ask.update(array, new Ask.Change().throttle(0))));
    assertEquals(4, cluster.state().active().size());
    assertEquals(
        ErrorCode.INVALID_ARRAY,
        cluster.refusal(ALICE, Ask.update(array, new Ask.Change().throttle(-1))));
  }

  /** Records of all of them are kept together, and that has a bound. */
  @Test
  void tasksWithCommandLinesBeyondMeasureAreNotThrottledAtOnce() {
    Command.SubmitJob plain = job().array("0-19").held().submission();
    Workload.BatchSpec batch = (Workload.BatchSpec) plain.workload();
    Command.SubmitJob large =
        new Command.SubmitJob(
            plain.spec(),
            batch.with().submitLine("sbatch " + "x".repeat(1 << 20)).build(),
            plain.texts());
    Reply submitted = cluster.ask(ALICE, large);
    int array = ((Reply.Submitted) submitted).jobId();
    var throttled = Ask.update(array, new Ask.Change().throttle(2));
    assertNull(cluster.refusal(ALICE, throttled));
    for (int task = 0; task < 20; task++) {
      assertNull(
          cluster.refusal(
              ALICE,
              new Command.UpdateJob(
                  Ask.tasks(array, "" + task),
                  new Ask.Change().output("/tmp/out" + task).build())));
    }
    assertEquals(ErrorCode.BAD_INPUT, cluster.refusal(ALICE, throttled));
  }

  @Test
  void aRequeuedTaskKnowsTheNewThrottle() {
    int array = cluster.submit(ALICE, job().array("1-2%1").runs(500));
    int first = cluster.task(array, 1).id();
    cluster.ask(ALICE, Ask.update(array, new Ask.Change().throttle(2)));
    cluster.ask(ALICE, Ask.requeue(first));
    cluster.seconds(100);
    assertEquals("RUNNING", cluster.state(first));
    assertEquals("RUNNING", cluster.state(cluster.task(array, 2).id()));
  }

  @Test
  void someTasksAreCancelled() {
    int array = cluster.submit(ALICE, job().array("1-6").cpus(4).runs(20));
    assertNull(cluster.refusal(ALICE, Ask.cancel(Ask.tasks(array, "1,3-4"))));
    cluster.minutes(3);
    assertEquals(
        List.of(
            "1_1 CANCELLED",
            "1_2 COMPLETED",
            "1_3 CANCELLED",
            "1_4 CANCELLED",
            "1_5 COMPLETED",
            "1_6 COMPLETED"),
        states(array));
  }

  @Test
  void theWholeArrayIsCancelled() {
    int array = cluster.submit(ALICE, job().array("1-6").cpus(4).runs(20));
    assertNull(cluster.refusal(ALICE, Ask.cancel(array)));
    cluster.seconds(10);
    assertEquals(List.of("1_1 CANCELLED", "1_[2-6] CANCELLED"), states(array));
    assertInstanceOf(ArrayPart.Waiting.class, cluster.job(array).array());
    assertEquals(ErrorCode.ALREADY_DONE, cluster.refusal(ALICE, Ask.cancel(array)));
    assertEquals(ErrorCode.ALREADY_DONE, cluster.refusal(ALICE, Ask.cancel(Ask.tasks(array, "3"))));
    cluster.minutes(10);
    assertEquals(0, cluster.state().jobCount());
  }

  @Test
  void tasksThatEndedTogetherAreRequeued() {
    int array = cluster.submit(ALICE, job().array("1-6").runs(900).held());
    cluster.ask(ALICE, Ask.cancel(array));
    assertEquals(List.of("1_[1-6] CANCELLED"), states(array));
    assertNull(
        cluster.refusal(
            ALICE, new Command.RequeueJob(Ask.tasks(array, "2,4"), true, false, false)));
    assertEquals(List.of("1_2 PENDING", "1_4 PENDING", "1_[1,3,5-6] CANCELLED"), states(array));
    assertNull(cluster.refusal(ALICE, new Command.RequeueJob(Ask.all(array), false, false, false)));
    cluster.seconds(90);
    assertEquals(4, cluster.state().active().size(), "the two others are held");
    cluster.checkReplay();
  }

  @Test
  void idsGoOnAtTheFirstOneAndNoneInUseIsGivenAgain() {
    TestCluster small = ClusterBuilder.of(1).set("FirstJobId", "10").set("MaxJobId", "15").start();
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ids.add(small.submit(ALICE, job().cpus(1).runs(i == 1 ? 9000 : 5).time(600)));
    }
    small.minutes(10);
    int array = small.submit(ALICE, job().array("1-4").runs(9000));
    ids.add(array);
    assertEquals(List.of(10, 11, 12, 13, 14), ids);
    assertEquals(
        List.of(15, 10, 12, 14),
        small.state().records(array).stream().map(Job::id).toList(),
        "11 still runs");
    assertEquals(13, small.submit(ALICE, job().cpus(4)));
    assertTrue(
        small.job(13).priority() < small.job(array).priority(), "lower ids are not earlier jobs");
    assertEquals(ErrorCode.MAX_JOB_COUNT, small.refusal(ALICE, job()));
    small.checkReplay();
  }

  @Test
  void anArrayMayOutgrowTheIds() {
    TestCluster small = ClusterBuilder.of(1).set("MaxJobId", "2").start();
    int array = small.submit(ALICE, job().array("1-4").runs(20));
    assertEquals(List.of(2, 3, 4, 1), small.state().records(array).stream().map(Job::id).toList());
    small.minutes(10);
    assertEquals(1, small.submit(ALICE, job().held()));
  }

  @Test
  void anEndedTaskIsRequeuedAlone() {
    int array = cluster.submit(ALICE, job().array("1-2").runs(10));
    cluster.seconds(20);
    int last = cluster.task(array, 2).id();
    assertEquals(array, last);
    assertNull(
        cluster.refusal(ALICE, new Command.RequeueJob(Ask.tasks(array, "2"), false, false, false)));
    assertEquals(List.of("1_1 COMPLETED", "1_2 PENDING"), states(array));
    cluster.seconds(100);
    assertEquals(List.of("1_1 COMPLETED", "1_2 COMPLETED"), states(array));
  }

  @Test
  void tasksAreHeldAndReleasedOneByOne() {
    int array = cluster.submit(ALICE, job().array("1-4").held());
    assertNull(cluster.refusal(ALICE, new Command.ReleaseJob(Ask.tasks(array, "2"))));
    assertEquals(List.of("1_2 RUNNING", "1_[1,3-4] PENDING"), states(array));
    assertNull(cluster.refusal(ALICE, Ask.release(array)));
    assertEquals(4, cluster.state().active().size());
  }

  @Test
  void sizesAreBounded() {
    assertEquals(ErrorCode.INVALID_ARRAY, cluster.refusal(ALICE, job().array("0-101")));
    assertEquals(ErrorCode.INVALID_ARRAY, cluster.refusal(ALICE, job().array("5-2")));
    assertEquals(ErrorCode.INVALID_ARRAY, cluster.refusal(ALICE, job().array("x")));
    assertEquals(ErrorCode.INVALID_ARRAY, cluster.refusal(ALICE, job().array("0-2147483646")));
    assertNull(cluster.refusal(ALICE, job().array("0-99").held()));
    assertNull(cluster.refusal(ALICE, Ask.cancel(Ask.tasks(1, "0-2147483646"))));
  }

  @Test
  void jobsAreCounted() {
    for (int i = 0; i < 100; i++) {
      assertNull(cluster.refusal(ALICE, job().held()));
    }
    assertEquals(ErrorCode.MAX_JOB_COUNT, cluster.refusal(ALICE, job().array("1-51")));
    assertNull(cluster.refusal(ALICE, job().array("1-50").held()));
    for (int i = 0; i < 49; i++) {
      assertNull(cluster.refusal(ALICE, job().held()));
    }
    assertEquals(ErrorCode.MAX_JOB_COUNT, cluster.refusal(ALICE, job()));
  }

  @Test
  void anArrayWithFinishedTasksCanStillBeUpdated() {
    int array = cluster.submit(ALICE, job().array("1-3").cpus(4).time(5).runs(20));
    cluster.seconds(30);
    assertNull(cluster.refusal(ALICE, Ask.timeLimit(array, 2)));
    assertEquals(List.of("1_1 COMPLETED", "1_2 RUNNING", "1_[3] PENDING"), states(array));
  }
}

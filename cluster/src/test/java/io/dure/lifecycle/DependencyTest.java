package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.rules.dependency.DependencyClosure;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that wait for jobs. */
@Tag("pure")
class DependencyTest {
  private final TestCluster cluster = ClusterBuilder.of(4).set("MinJobAge", "300").start();

  private int well() {
    return cluster.submit(ALICE, job().name("well").runs(20));
  }

  private int badly() {
    return cluster.submit(ALICE, job().name("badly").runs(20).ends("exit 1"));
  }

  private int after(String condition) {
    return cluster.submit(ALICE, job().name("dependent").runs(1000).dependency(condition));
  }

  private void expect(int id, String state, String reason) {
    assertEquals(state + " " + reason, cluster.state(id) + " " + cluster.reason(id));
  }

  @Test
  void afterok() {
    int good = well();
    int bad = badly();
    int happy = after("afterok:" + good);
    int never = after("afterok:" + bad);
    int both = after("afterok:" + good + ",afterok:" + bad);
    int either = after("afterok:" + good + "?afterok:" + bad);
    expect(happy, "PENDING", "Dependency");
    cluster.seconds(30);
    assertEquals("RUNNING", cluster.state(happy));
    expect(never, "PENDING", "DependencyNeverSatisfied");
    expect(both, "PENDING", "DependencyNeverSatisfied");
    assertEquals("RUNNING", cluster.state(either));
  }

  @Test
  void afternotokAndAfterany() {
    int good = well();
    int bad = badly();
    int happy = after("afternotok:" + bad);
    int never = after("afternotok:" + good);
    int any = after("afterany:" + good + ",afterany:" + bad);
    cluster.seconds(15);
    expect(any, "PENDING", "Dependency");
    cluster.seconds(15);
    assertEquals("RUNNING", cluster.state(happy));
    assertEquals("RUNNING", cluster.state(any));
    expect(never, "PENDING", "DependencyNeverSatisfied");
  }

  @Test
  void afterWithADelay() {
    int later = cluster.submit(ALICE, job().runs(1000).begin(cluster.now().plusSeconds(30)));
    int started = after("after:" + later);
    int delayed = after("after:" + later + "+2");
    expect(started, "PENDING", "Dependency");
    cluster.seconds(45);
    assertEquals("RUNNING", cluster.state(started));
    cluster.seconds(60);
    expect(delayed, "PENDING", "Dependency");
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(delayed));
  }

  @Test
  void afterACancelledJob() {
    int held = cluster.submit(ALICE, job().held());
    int waits = after("after:" + held);
    cluster.ask(ALICE, Ask.cancel(held));
    cluster.seconds(5);
    assertEquals("RUNNING", cluster.state(waits));
  }

  @Test
  void singletonLetsOneNamesakeRunAtATime() {
    int first = cluster.submit(ALICE, job().name("one").runs(50));
    int second = cluster.submit(ALICE, job().name("one").runs(50).dependency("singleton"));
    int third = cluster.submit(ALICE, job().name("one").runs(50).dependency("singleton"));
    int ofBob = cluster.submit(BOB, job().name("one").dependency("singleton"));
    int other = cluster.submit(ALICE, job().name("two").dependency("singleton"));
    assertEquals("RUNNING", cluster.state(ofBob));
    assertEquals("RUNNING", cluster.state(other));
    cluster.seconds(60);
    assertEquals("COMPLETED", cluster.state(first));
    assertEquals("RUNNING", cluster.state(second));
    expect(third, "PENDING", "Dependency");
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(third));
  }

  @Test
  void aRequeuedSingletonWaitsForItsNamesakeAgain() {
    int first = cluster.submit(ALICE, job().name("one").runs(500).dependency("singleton"));
    int second = cluster.submit(ALICE, job().name("one").runs(500).dependency("singleton"));
    cluster.ask(ALICE, Ask.requeueHold(first));
    cluster.ask(ALICE, Ask.cancel(second));
    int third = cluster.submit(ALICE, job().name("one").runs(500));
    cluster.seconds(10);
    cluster.ask(ALICE, Ask.release(first));
    cluster.seconds(100);
    assertEquals("RUNNING", cluster.state(third));
    expect(first, "PENDING", "Dependency");
  }

  @Test
  void aFailureIsFinalEvenIfTheTargetRunsAgain() {
    int bad = badly();
    int never = after("afterok:" + bad);
    cluster.seconds(30);
    cluster.ask(ALICE, Ask.requeue(bad));
    cluster.seconds(10);
    expect(never, "PENDING", "DependencyNeverSatisfied");
  }

  @Test
  void aPurgedTargetLiftsTheCondition() {
    int good = well();
    int held = cluster.submit(ALICE, job().held().dependency("afterany:" + good));
    int never = after("afternotok:" + good);
    cluster.minutes(6);
    assertNull(cluster.state().job(good));
    expect(held, "PENDING", "JobHeldUser");
    expect(never, "PENDING", "DependencyNeverSatisfied");
    int late = after("afterany:" + good);
    assertEquals("RUNNING", cluster.state(late));
  }

  @Test
  void whoIsStillAskedForIsNotForgotten() {
    int target = well();
    int other = cluster.submit(ALICE, job().runs(3000));
    cluster.seconds(5);
    int hour = after("after:" + target + "+20");
    int either = after("afternotok:" + target + "?afterok:" + other);
    cluster.seconds(600);
    expect(hour, "PENDING", "Dependency");
    expect(either, "PENDING", "Dependency");
    cluster.seconds(700);
    assertEquals("RUNNING", cluster.state(hour));
    expect(either, "PENDING", "Dependency");
    cluster.seconds(1800);
    assertEquals("RUNNING", cluster.state(either));
    cluster.seconds(600);
    assertNull(cluster.state().job(target));
  }

  @Test
  void theTasksOfAnArrayAreForgottenTogether() {
    int array = cluster.submit(ALICE, job().array("0-2").runs(20));
    cluster.seconds(30);
    int task = cluster.state().arrayTasks(array).values().getFirst();
    int hour = after("after:" + task + "+20");
    cluster.seconds(600);
    assertEquals(3, cluster.state().records(array).size());
    expect(hour, "PENDING", "Dependency");
    cluster.seconds(1300);
    assertEquals(List.of(), cluster.state().records(array));
    assertEquals("RUNNING", cluster.state(hour));
  }

  @Test
  void nobodyFillsTheRecordsByAsking() {
    TestCluster small =
        ClusterBuilder.of(4).set("MinJobAge", "300").set("MaxJobCount", "40").start();
    for (int i = 0; i < 8; i++) {
      int live = small.submit(ALICE, job().held());
      small.submit(ALICE, job().dependency("afterok:" + live));
    }
    int array = small.submit(ALICE, job().array("0-8").runs(20));
    int single = small.submit(ALICE, job().runs(20));
    small.seconds(60);
    small.submit(ALICE, job().dependency("after:" + array + "+900000"));
    small.submit(ALICE, job().dependency("after:" + single + "+900000"));
    small.seconds(600);
    assertEquals(List.of(), small.state().records(array));
    assertEquals(1, small.state().records(single).size());
  }

  @Test
  void whomJobsWaitForIsFollowed() {
    int held = cluster.submit(ALICE, job().name("first").held());
    int corr = cluster.submit(ALICE, job().name("one").array("0-3").dependency("after:" + held));
    int array = cluster.submit(ALICE, job().array("0-3").dependency("aftercorr:" + corr));
    int older = cluster.submit(ALICE, job().name("same").held());
    int younger =
        cluster.submit(ALICE, job().name("same").dependency("singleton,afterok:" + array));
    cluster.submit(ALICE, job().name("same").dependency("singleton"));
    cluster.submit(BOB, job().name("same").held());
    List<Integer> all =
        DependencyClosure.with(cluster.state(), cluster.state().pending(), List.of(younger));
    assertEquals(List.of(held, corr, array, older, younger), all);
    int het = het();
    int behind = cluster.submit(ALICE, job().dependency("afterok:" + het));
    assertEquals(
        List.of(het, het + 1, behind),
        DependencyClosure.with(cluster.state(), cluster.state().pending(), List.of(behind)));
  }

  private int het() {
    JobBuilder job = job().held();
    Command.Component one = new Command.Component(job.spec(), job.batch());
    Command.SubmitHetJob both =
        new Command.SubmitHetJob(List.of(one, one), job.submission().texts(), null);
    return ((Reply.Submitted) cluster.ask(ALICE, both)).jobId();
  }

  @Test
  void hopelessJobsGoIfTheyAreToBeKilled() {
    int bad = badly();
    int killed =
        cluster.submit(ALICE, job().dependency("afterok:" + bad).killOnInvalidDependency());
    cluster.seconds(30);
    assertEquals("CANCELLED", cluster.state(killed));
  }

  @Test
  void whatDoesNotExistIsRefused() {
    int array = cluster.submit(ALICE, job().array("1-3"));
    assertEquals(ErrorCode.DEPENDENCY, cluster.refusal(ALICE, job().dependency("afterok:999")));
    assertEquals(
        ErrorCode.DEPENDENCY, cluster.refusal(ALICE, job().dependency("afterok:" + array + "_9")));
    assertNull(cluster.refusal(ALICE, job().dependency("afterok:" + array + "_2")));
    assertNull(cluster.refusal(ALICE, job().dependency("afterany:999")), "lifted");
  }

  @Test
  void circlesAreRefused() {
    int one = cluster.submit(ALICE, job().held());
    int two = after("afterany:" + one);
    int three = after("afterany:" + two);
    assertEquals(
        ErrorCode.CIRCULAR_DEPENDENCY,
        cluster.refusal(
            ALICE,
            Ask.update(
                one, new Ask.Change().dependency(JobBuilder.dependencies("afterany:" + three)))));
  }

  @Test
  void anArrayIsOverWhenAllItsTasksAre() {
    int array = cluster.submit(ALICE, job().array("1-3").cpus(4).runs(20));
    cluster.ask(ROOT, Ask.cancel(Ask.tasks(array, "2")));
    int any = after("afterany:" + array);
    int all = after("afterok:" + array);
    int one = after("afterok:" + array + "_1");
    cluster.seconds(10);
    expect(any, "PENDING", "Dependency");
    cluster.seconds(20);
    assertEquals("RUNNING", cluster.state(any));
    expect(all, "PENDING", "DependencyNeverSatisfied");
    assertEquals("RUNNING", cluster.state(one));
  }

  @Test
  void waitingTasksThatWereCancelledCount() {
    int array = cluster.submit(ALICE, job().array("1-40%2").runs(20));
    int never = after("afterok:" + array);
    int task = after("afterok:" + array + "_30");
    int any = after("afterany:" + array);
    cluster.ask(ALICE, Ask.cancel(array));
    cluster.seconds(30);
    expect(never, "PENDING", "DependencyNeverSatisfied");
    expect(task, "PENDING", "DependencyNeverSatisfied");
    assertEquals("RUNNING", cluster.state(any));
  }

  @Test
  void aftercorrIsAConditionOfEachTask() {
    int first = cluster.submit(ALICE, job().array("1-3%1").runs(50));
    int second =
        cluster.submit(ALICE, job().array("1-3").runs(500).dependency("aftercorr:" + first));
    cluster.seconds(30);
    assertEquals(0, cluster.state().arrayTasks(second).size());
    cluster.seconds(30);
    assertEquals("RUNNING", cluster.state(cluster.task(second, 1).id()));
    assertEquals(1, cluster.state().arrayTasks(second).size());
    cluster.ask(ALICE, Ask.cancel(Ask.tasks(first, "2")));
    cluster.seconds(10);
    expect(cluster.task(second, 2).id(), "PENDING", "DependencyNeverSatisfied");
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(cluster.task(second, 3).id()));
  }

  @Test
  void aTaskWithItsOwnRecordStillWaitsForItsCounterpart() {
    int first = cluster.submit(ALICE, job().array("1-2").runs(50));
    int second =
        cluster.submit(ALICE, job().array("1-2").runs(500).dependency("aftercorr:" + first));
    cluster.ask(ALICE, new io.dure.model.command.Command.HoldJob(Ask.tasks(second, "2"), false));
    int task = cluster.task(second, 2).id();
    cluster.ask(ALICE, Ask.release(task));
    expect(task, "PENDING", "Dependency");
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(task));
  }
}

package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A submission that comes again, since its answer was lost, is the job that it was. */
@Tag("pure")
class RepeatedRequestTest {
  private final TestCluster cluster = ClusterBuilder.of(1).start();

  private static JobBuilder job() {
    return JobBuilder.job().cpus(1);
  }

  private int ask(Caller.User user, JobBuilder job) {
    Reply reply = cluster.ask(user, job.submission());
    return ((Reply.Submitted) reply).jobId();
  }

  @Test
  void itIsTheSameJob() {
    int first = ask(ALICE, job().held().asked("one"));
    assertEquals(first, ask(ALICE, job().held().asked("one")));
    assertNotEquals(first, ask(ALICE, job().held().asked("two")));
    assertEquals(2, cluster.state().jobCount());
  }

  @Test
  void anotherUsersIsAnotherJob() {
    int hers = ask(ALICE, job().held().asked("one"));
    assertNotEquals(hers, ask(BOB, job().held().asked("one")));
  }

  @Test
  void anArrayIsRememberedUntilItsLastTaskIsForgotten() {
    int array = ask(ALICE, job().array("0-2").runs(10).asked("one"));
    cluster.seconds(60);
    assertEquals(array, ask(ALICE, job().array("0-2").runs(10).asked("one")));
    cluster.seconds(1000);
    assertNotEquals(array, ask(ALICE, job().array("0-2").runs(10).asked("one")));
  }
}

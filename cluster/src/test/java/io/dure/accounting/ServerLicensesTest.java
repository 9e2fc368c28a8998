package io.dure.accounting;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.ServerResource;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Licences of servers, of which the accounts give a cluster its part, as in a Slurm 22.05.8. */
@Tag("pure")
class ServerLicensesTest {
  private final TestCluster cluster = ClusterBuilder.of(2).start();

  private void change(AccountingChange change) {
    long version = cluster.state().accounts().version();
    assertEquals(
        new Reply.Done(),
        cluster.ask(ROOT, new Command.ChangeAccounting(version, List.of(change))));
  }

  private void ansys(int count, int percent) {
    change(
        new AccountingChange.ResourceSet(
            new ServerResource(1, "ansys", "flex2", "flexlm", count, "", false, percent)));
  }

  private Reply submit(String licenses) {
    Command.SubmitJob job = JobBuilder.job().runs(1000).submission();
    var resources = job.spec().resources();
    return cluster.ask(
        ALICE,
        new Command.SubmitJob(
            job.spec()
                .withResources(
                    resources.withFurther(
                        resources.more().withLicenses(LicenseRequest.of(licenses)))),
            job.workload(),
            job.texts()));
  }

  private boolean runs(Reply reply) {
    int id = assertInstanceOf(Reply.Submitted.class, reply).jobId();
    return Objects.requireNonNull(cluster.state().job(id)).state() instanceof JobState.Running;
  }

  private void isRefused(String licenses) {
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, submit(licenses));
    assertEquals(ErrorCode.INVALID_LICENSES, refused.code());
  }

  @Test
  void jobsHaveThemUpToThePartOfTheCluster() {
    isRefused("ansys@flex2:1");
    ansys(20, 50);
    isRefused("ansys@flex2:11");
    Reply first = submit("ansys@flex2:7");
    Reply second = submit("ansys@flex2:7");
    cluster.seconds(10);
    assertEquals(true, runs(first));
    assertEquals(false, runs(second));
    ansys(40, 50);
    cluster.seconds(60);
    assertEquals(true, runs(second));
    change(new AccountingChange.ResourceRemoved("ansys@flex2"));
    isRefused("ansys@flex2:1");
    assertEquals(true, runs(first));
  }
}

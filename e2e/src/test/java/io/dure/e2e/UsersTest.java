package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Client;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two people on one cluster: each is who they are, and neither may touch what is the other's. */
@ExtendWith(Diagnosis.class)
@ParameterizedClass
@EnumSource
@Tag("cluster")
class UsersTest {
  private static final String WHO =
      "id -u; id -g; id -G; umask; pwd; echo $HOME; echo $USER; ps -o user= -p $$ | tr -d ' '";

  private static final Await SOON = Await.seconds(20);

  private static Cluster cluster;
  private static User alice;
  private static User bob;

  UsersTest(Client client) {
    cluster.through(client);
  }

  @BeforeAll
  static void start() {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(2, 8));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void eachJobRunsAsItsOwner() {
    List<CompletableFuture<Void>> both =
        Stream.of(alice, bob).map(user -> CompletableFuture.runAsync(() -> runsAs(user))).toList();
    both.forEach(CompletableFuture::join);
  }

  private static void runsAs(User user) {
    Session session = cluster.as(user);
    Ran ran =
        session.shell(
            "umask 027; exec sbatch --wait -o who.out --wrap \"" + WHO.replace("$", "\\$") + "\"");
    assertTrue(ran.ok().startsWith("Submitted batch job "), "the answer");
    String groups = session.run("id", "-G").ok();
    assertEquals(
        List.of(
            "" + user.uid(),
            "" + user.gid(),
            groups,
            "0027",
            session.directory().toString(),
            user.home(),
            user.name(),
            user.name()),
        session.read("who.out").lines().toList());
    Path output = session.directory().resolve("who.out");
    assertEquals(user.uid(), attribute(output, "unix:uid"));
    assertEquals(user.gid(), attribute(output, "unix:gid"));
    assertEquals(0640, attribute(output, "unix:mode") & 0777);
  }

  @Test
  void nobodyReadsTheOthersScript() throws IOException {
    Session hers = cluster.as(alice);
    String text = "#!/bin/sh\n# secret\nexec sleep 600\n";
    hers.script("mine.sh", text);
    int job = hers.submit("mine.sh");
    cluster.await(job, "RUNNING");
    SOON.until("its process", () -> !cluster.processesOf(job).isEmpty());
    Path copy = copyOf(job);
    assertEquals(text, hers.run("cat", copy.toString()).ok() + "\n");
    cluster.as(bob).run("cat", copy.toString()).fails(1, "cat: " + copy + ": Permission denied");
    String number = Integer.toString(job);
    assertEquals(text, hers.run("scontrol", "write", "batch_script", number, "-").ok() + "\n");
    cluster
        .as(bob)
        .run("scontrol", "write", "batch_script", number, "-")
        .fails(1, "job script retrieval failed: Access/permission denied");
    cluster.admin().run("scancel", number).okSilently();
    cluster.await(job, "CANCELLED");
  }

  private static Path copyOf(int job) throws IOException {
    try (Stream<Path> files = Files.walk(cluster.dir().resolve("spool"))) {
      return files
          .filter(file -> file.toString().contains("runs/" + job + ".1/"))
          .filter(file -> file.endsWith("slurm_script"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void nobodyTouchesTheOthersJob() {
    int job = cluster.as(alice).submit("--wrap", "exec sleep 600");
    int waiting = cluster.as(alice).submit("--hold", "--wrap", "true");
    cluster.await(job, "RUNNING");
    String number = Integer.toString(job);
    String held = Integer.toString(waiting);
    Session his = cluster.as(bob);
    his.run("scancel", number)
        .fails(
            210, "scancel: error: Kill job error on job id " + job + ": Access/permission denied");
    String again = "\nslurm_suspend error: Invalid user id";
    his.run("scontrol", "hold", number).fails(1, "Invalid user id for job " + job + again);
    his.run("scontrol", "release", held).fails(1, "Invalid user id for job " + waiting + again);
    his.run("scontrol", "requeue", number).fails(1, "Access/permission denied for job " + job);
    his.run("scontrol", "update", "JobId=" + held, "Name=his")
        .fails(1, "Invalid user id for job " + held);
    assertTrue(cluster.job(job).is("RUNNING"));
    assertEquals("wrap", cluster.job(waiting).get("JobName"));
    cluster.admin().run("scontrol", "update", "JobId=" + held, "Name=root's").okSilently();
    assertEquals("root's", cluster.job(waiting).get("JobName"));
    cluster.admin().run("scontrol", "release", held).okSilently();
    cluster.await(waiting, "COMPLETED");
    cluster.admin().run("scancel", number).okSilently();
    cluster.await(job, "CANCELLED");
    SOON.until("no process of it", () -> cluster.processesOf(job).isEmpty());
  }

  @Test
  void statisticsAreForAllAndTheirResetForOperators() {
    Session hers = cluster.as(alice);
    cluster.admin().run("sdiag", "-r").ok();
    hers.submit("-a", "1-3", "--wrap", "true");
    SOON.until("three are over", () -> hers.run("sdiag").ok().contains("\nJobs completed: 3\n"));
    List<String> told = hers.run("sdiag").ok().lines().toList();
    assertTrue(told.contains("Jobs submitted: 3"), told::toString);
    assertTrue(
        told.stream()
            .anyMatch(line ->
                line.startsWith("\tREQUEST_SUBMIT_BATCH_JOB                ( 4003) count:1 ")),
        told::toString);
    assertTrue(
        told.stream()
            .anyMatch(line -> line.startsWith("\t" + alice.name()) && line.contains(" count:")),
        told::toString);
    hers.run("sdiag", "-r").fails(255, "slurm_reset_statistics: Access/permission denied");
    assertEquals("Reset scheduling statistics", cluster.admin().run("sdiag", "-r").ok());
    assertTrue(hers.run("sdiag").ok().contains("\nJobs submitted: 0\n"), "counted anew");
  }

  @Test
  void whoHasOnlyANumberIsToldSo() {
    Session stranger = cluster.as(User.NOBODY_KNOWS);
    int job = stranger.submit("--wrap", "true");
    Shown failed = cluster.await(job, "FAILED");
    assertEquals("JobLaunchFailure", failed.get("Reason"));
    SOON.until(
        "it is idle", () -> cluster.node(failed.get("BatchHost")).get("State").equals("IDLE"));
  }

  private static int attribute(Path file, String name) {
    try {
      return (Integer) Files.getAttribute(file, name);
    } catch (IOException e) {
      throw new AssertionError("no " + file, e);
    }
  }
}

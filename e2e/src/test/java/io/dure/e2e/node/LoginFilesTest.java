package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a user's login files start belongs to the job whose environment they make. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class LoginFilesTest {
  private static final Await SOON = Await.seconds(30);

  private static Cluster cluster;
  private static User carol;
  private static Session hers;

  @BeforeAll
  static void start() {
    carol = User.named("dure-carol");
    cluster = Cluster.start(Conf.nodes(1, 2));
    hers = cluster.as(carol);
  }

  @AfterEach
  void forget() throws IOException {
    login("");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void login(String text) throws IOException {
    Files.writeString(Path.of(carol.home(), ".bash_profile"), text);
  }

  @Test
  void whatTheyLeaveInTheBackgroundEndsWithTheJob() throws IOException {
    Path left = hers.directory().resolve("left");
    login("(setsid sleep 7780 & echo $! >" + left + ")\nexport FROM_LOGIN='two words'\n");
    int job =
        hers.submit("--export=NONE", "-o", "env", "--wrap", "echo $FROM_LOGIN; exec sleep 600");
    SOON.until("the script runs", () -> hers.read("env").equals("two words\n"));
    int pid = Integer.parseInt(Files.readString(left).strip());
    assertTrue(Processes.isAlive(pid), "as long as the job");
    String groups = Files.readString(Path.of("/proc/" + pid + "/cgroup"));
    String script = Files.readString(Path.of("/proc/" + scriptOf(job) + "/cgroup"));
    assertEquals(script, groups);
    hers.run("scancel", "" + job).okSilently();
    cluster.await(job, "CANCELLED");
    SOON.until("no longer", () -> !Processes.isAlive(pid));
  }

  @Test
  void loginsThatHangHoldNothingBeyondTheirJobs() throws IOException {
    // Of this test alone: other tests on the machine sleep, too.
    String seconds = "1000." + ProcessHandle.current().pid();
    login("echo $$ >>" + hers.directory() + "/hang\nwhile :; do sleep " + seconds + "; done\n");
    List<Integer> jobs = List.of(hang(), hang());
    SOON.until("both hang", () -> hers.read("hang").lines().count() == 2);
    jobs.forEach(job -> hers.run("scancel", "" + job).okSilently());
    int next = hers.submit("-n", "2", "--wrap", "true");
    cluster.await(next, "COMPLETED");
    jobs.forEach(job -> cluster.await(job, "CANCELLED"));
    assertFalse(hers.read("out").contains("ran"), "a script that began after its login");
    assertTrue(Processes.mentioning("sleep\0" + seconds + "\0").isEmpty());
  }

  private static int hang() {
    return hers.submit("--export=NONE", "-o", "out", "--open-mode=append", "--wrap", "echo ran");
  }

  private static int scriptOf(int job) {
    return cluster.processesOf(job).stream()
        .filter(seen -> seen.words().contains("600"))
        .findFirst()
        .orElseThrow()
        .pid();
  }
}

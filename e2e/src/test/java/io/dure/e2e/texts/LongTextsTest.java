package io.dure.e2e.texts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterConnector;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names and comments as long as one user can make them keep no listing from another user. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class LongTextsTest {
  private static final Await ATTACK = Await.seconds(900);
  private static final double MOST_SECONDS = 10;
  private static final int NAMES = 200;
  private static final int JOBS = 8000;
  private static final String TOO_LONG =
      "Batch job submission failed: Pathname of a file, directory or other parameter too long";

  private User alice;
  private User bob;
  private @Nullable Cluster cluster;
  private @Nullable Group group;

  @BeforeEach
  void users() {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    } else if (cluster != null) {
      cluster.close();
    }
  }

  private Cluster lone(@Nullable String heap) {
    Cluster made = Cluster.prepare(Conf.nodes(1, 4));
    cluster = made;
    if (heap != null) {
      made.controller().with("DURE_HEAP", heap);
    }
    made.startAll();
    return made;
  }

  @Test
  void atTheDefaultHeap() throws IOException {
    Cluster made = lone(null);
    attack(made, made.confFile(), 20);
  }

  @Test
  void atOneGiB() throws IOException {
    Cluster made = lone("1g");
    int pid = made.controller().pid();
    attack(made, made.confFile(), 200);
    assertEquals(pid, made.controller().pid(), "another process by now");
  }

  @Test
  void ofThreeControllers() throws IOException {
    User.assumeRoot();
    Group made = Group.startWithHeap(Conf.nodes(1, 4), "1g");
    group = made;
    long term = made.term();
    attack(made.cluster(), made.only(made.leader()), 20);
    assertEquals(term, made.term(), "an election without a reason");
  }

  private void attack(Cluster made, Path door, int comments) throws IOException {
    Session hers = made.as(alice);
    hers.script("comment.sh", "#!/bin/sh\n#SBATCH --comment=" + "x".repeat(3_900_000) + "\ntrue\n");
    Process sending = repeat(hers, "comments", comments, "sbatch -H comment.sh");
    double worst = othersAreAnswered(made, sending);
    refused(hers, "comments", comments);
    hers.script("name", "n".repeat(100 << 10));
    Process names = repeat(hers, "names", NAMES, "sbatch -H -J \"$(cat name)\" --wrap true");
    worst = Math.max(worst, othersAreAnswered(made, names));
    refused(hers, "names", NAMES);
    submitLongest(door);
    worst = Math.max(worst, listing(made, "squeue", "-h"));
    worst = Math.max(worst, listing(made, "squeue", "-h", "-o", "%i %j %k"));
    String state = made.node("n1").get("State");
    assertTrue(state.equals("IDLE"), "the node is " + state);
    System.out.printf("long texts: squeue of another user %.2f s at most%n", worst);
    assertTrue(worst < MOST_SECONDS, "squeue of another user took " + worst + " s");
  }

  private static Process repeat(Session session, String output, int times, String line)
      throws IOException {
    return session.start(
        output, "sh", "-c", "for i in $(seq " + times + "); do " + line + "; done");
  }

  private static void refused(Session session, String output, int times) {
    List<String> lines = session.read(output).lines().toList();
    assertEquals(
        times, lines.stream().filter(line -> line.endsWith(TOO_LONG)).count(), lines::toString);
  }

  private double othersAreAnswered(Cluster made, Process attack) {
    double[] worst = new double[1];
    ATTACK.until(
        "the end of the attack",
        () -> {
          worst[0] = Math.max(worst[0], listing(made, "squeue", "-h"));
          return !attack.isAlive();
        });
    return worst[0];
  }

  private double listing(Cluster made, String... words) {
    long began = System.nanoTime();
    made.as(bob).run(words).ok();
    return (System.nanoTime() - began) / 1e9;
  }

  /** As many jobs as there may be, each with the longest name and comment that are taken. */
  private void submitLongest(Path door) throws IOException {
    try (ControllerConnection open = new ClusterConnector(door, alice.uid(), alice.gid()).open()) {
      for (int i = 0; i < JOBS; i++) {
        String text = Integer.toString(i).repeat(1024).substring(0, 1024);
        Response response =
            open.ask(
                new Request.Change(
                    new Command.SubmitJob(
                        JobSpec.of(
                                text,
                                List.of(),
                                ResourceRequest.of(4000, 1, 1),
                                new TimeLimit.PartitionDefault())
                            .withComment(text),
                        Workload.BatchSpec.nothing("/"),
                        new JobTexts("#!/bin/sh\n", "")),
                    null));
        assertTrue(response instanceof Response.Decided(Reply.Submitted _), i + ": " + response);
      }
    }
  }
}

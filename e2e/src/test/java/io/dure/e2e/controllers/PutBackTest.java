package io.dure.e2e.controllers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Group;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Takeover;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three controllers of which the files of some are put back, or are all that is left. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PutBackTest {
  private static final Await SOON = Await.seconds(60);

  private Group group;

  @BeforeEach
  void start() {
    User.assumeRoot();
    group = Group.start(Conf.nodes(1, 4).with("MessageTimeout", 5));
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  private List<Integer> submit(int count) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(group.cluster().admin().submit("--hold", "--wrap", "true"));
    }
    return ids;
  }

  private void holds(List<Integer> ids) {
    String queue = group.cluster().admin().run("squeue", "-h", "-o", "%i").ok();
    List<String> lines = queue.lines().map(String::strip).toList();
    for (int id : ids) {
      assertTrue(lines.contains(Integer.toString(id)), id + " is missing in " + lines);
    }
  }

  @Test
  void nothingAcknowledgedIsLostByAnOlderCopy() {
    Session shell = group.cluster().admin();
    String knows = group.leader();
    String victim = group.others(knows).getFirst();
    String behind = group.others(knows).getLast();
    List<Integer> ids = submit(1);
    group.awaitCaughtUp();
    group.member(victim).stop();
    String state = group.state(victim).toString();
    shell.shell("cp -a " + state + " " + state + ".copy").ok();
    group.member(victim).start();
    group.awaitCaughtUp();
    group.member(behind).stop();
    ids.addAll(submit(5));
    group.member(victim).stop();
    group.member(knows).stop();
    shell.shell("rm -r " + state + " && cp -a " + state + ".copy " + state).ok();
    group.member(behind).start();
    group.member(victim).start();
    SOON.until(
        "the copy is known",
        () ->
            group
                .member(victim)
                .log()
                .contains("is not the file that was written here, but a copy"));
    SOON.until(
        "both say that there is no leader",
        () ->
            group.replicas().contains("SlurmctldHost=")
                && Takeover.leaderIn(group.replicas()).isEmpty());
    group.member(knows).start();
    group.awaitCaughtUp();
    holds(ids);
    List<Integer> more = submit(1);
    assertTrue(more.getFirst() > ids.getLast(), more + " after " + ids);
  }

  /** Two disks are lost for good; what is left goes on alone, and becomes the first of three. */
  @Test
  void oneOfThreeGoesOnAlone() throws IOException {
    group.takeOver("c1");
    List<Integer> ids = submit(3);
    group.awaitCaughtUp();
    String call = Checkout.daemon("slurmctld") + " -f " + group.confFile("c1") + " --single";
    Session shell = group.cluster().admin();
    group.member("c1").stop();
    assertEquals(1, exit(shell, call + "=yes"), "the others run");
    group.member("c2").stop();
    group.member("c3").stop();
    String files =
        "(cd " + group.state("c1") + "; stat -c '%n %s %y %i' *; cat *-* lock | cksum) 2>/dev/null";
    String before = shell.shell(files).ok();
    String found = shell.shell(call).ok();
    assertEquals(before, shell.shell(files).ok(), "it only looks");
    assertTrue(found.contains("holds the state of c1, one of [c1, c2, c3]"), found);
    assertEquals(0, exit(shell, call + "=yes"));
    group.makeSingle("c1");
    group.member("c1").start();
    group.cluster().awaitNodes();
    holds(ids);
    List<Integer> more = submit(1);
    assertTrue(more.getFirst() > ids.getLast(), more + " after " + ids);
    assertEquals(1, exit(shell, call), "it is one already");
  }

  private static int exit(Session shell, String call) {
    String said = shell.shell(call + " 2>&1; echo exit $?").ok();
    String last = said.lines().toList().getLast();
    return Integer.parseInt(last.substring("exit ".length()));
  }
}

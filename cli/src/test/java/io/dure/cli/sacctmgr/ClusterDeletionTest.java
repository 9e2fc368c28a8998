package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters that are removed from a slurmdbd, as a Slurm 22.05.8 does it. */
@Tag("pure")
class ClusterDeletionTest {
  private final ScriptedController controller = new ScriptedController();
  private String errors = "";
  private int code;

  private String run(String input, String line) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.in = input.getBytes(StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of("sacctmgr"));
    words.addAll(List.of(line.split(" ", -1)));
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  private void accounts(String user, String... clusters) {
    controller.answer(
        new Response.Accounts(
            "left",
            "vm",
            6817,
            AccountingRecords.INITIAL,
            user,
            user.equals("root"),
            Arrays.stream(clusters)
                .map(name -> new ClusterAccounts(name, "", 0, AccountingRecords.INITIAL))
                .toList()));
  }

  @Test
  void thoseThatAreNamedAreRemoved() {
    accounts("root", "left", "right", "third");
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(
        " Deleting clusters...\n  right\n  third\n", run("", "-i delete cluster name=third,right"));
    assertEquals(0, code, errors);
    assertEquals(
        new Request.RemoveClusters(List.of("right", "third")), controller.requests.getLast());
  }

  @Test
  void itIsAskedFirst() {
    accounts("root", "left", "right");
    assertEquals(
        """
         Deleting clusters...
          right
        Would you like to commit changes? (You have 30 seconds to decide)
        (N/y):\s
         Changes Discarded
        """,
        run("n\n", "delete cluster right"));
    assertEquals(0, code);
    assertEquals(1, controller.requests.size());
  }

  @Test
  void oneWithJobsStays() {
    accounts("root", "left", "right");
    String job = "  JobID = 1          C = right      A = physics    U = alice    ";
    controller.answer(
        new Response.Decided(new Reply.Refused(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, job)));
    assertEquals("", run("", "-i delete cluster right"));
    assertEquals(
        " Error with request: Job(s) active, cancel job(s) before remove\n" + job + "\n", errors);
    assertEquals(1, code);
  }

  @Test
  void whatIsNotThereOrNotAllowedIsSaid() {
    accounts("root", "left", "right");
    assertEquals(" Nothing deleted\n", run("", "-i delete cluster nosuch"));
    assertEquals(1, code);
    assertEquals("", run("", "-i delete cluster"));
    assertEquals(" No conditions given to remove, not executing.\n", errors);
    accounts("alice", "left", "right");
    assertEquals("", run("", "-i delete cluster right"));
    assertEquals(
        """
        sacctmgr: error: Your user doesn't have privilege to perform this action
         Error with request: Access/permission denied
        """,
        errors);
    assertEquals(1, code);
  }

  @Test
  void aClusterThatKeepsItsAccountsItselfStays() {
    accounts("root");
    assertEquals("", run("", "-i delete cluster left"));
    assertEquals("sacctmgr: error: the accounts of the controller's own cluster stay\n", errors);
    assertEquals(1, code);
  }
}

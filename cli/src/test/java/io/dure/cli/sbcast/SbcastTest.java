package io.dure.cli.sbcast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.host.process.ProcFs;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sbcast and sgather ask for, and what they say of wrong calls. */
@Tag("pure")
class SbcastTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int run(CliCommand command, String... words) {
    world.controller = controller;
    return command.run(world.call(words));
  }

  private int sbcast(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "sbcast";
    System.arraycopy(words, 0, all, 1, words.length);
    return run(new Sbcast(), all);
  }

  private static Response grant() throws IOException {
    String boot = ProcFs.ofThisMachine().bootId();
    return new Response.FileGrant(
        new byte[] {1},
        new byte[] {2},
        List.of(new Response.StepNode("n1", boot, "/spool/n1", "n1", 6818)));
  }

  private List<String> entries() {
    return Objects.requireNonNull(world.moved).entries();
  }

  @Test
  void theClientIsToldWhatToSendWhere() throws IOException {
    world.environment.put("SLURM_JOB_ID", "12");
    controller.answer(grant());
    assertEquals(0, sbcast("-f", "-p", "file", "copy"), world.errors());
    assertEquals(
        List.of("source=file", "path=/nowhere/copy", "flags=3", "node=n1:/spool/n1"), entries());
    assertEquals(new Request.GrantFiles(12, null), controller.requests.getLast());
    controller.answer(grant());
    assertEquals(0, sbcast("-j", "13.1", "--send-libs", "a", "/b"), world.errors());
    assertEquals(new Request.GrantFiles(13, 1), controller.requests.getLast());
    assertEquals(
        List.of(
            "source=a",
            "path=/b",
            "flags=0",
            "libraries=1",
            "exclude=/lib,/usr/lib,/lib64,/usr/lib64",
            "node=n1:/spool/n1"),
        entries());
  }

  @Test
  void filesAreFetchedFromTheNodesOfTheJobAround() throws IOException {
    world.environment.put("SLURM_JOB_ID", "12");
    controller.answer(grant());
    assertEquals(0, run(new Sgather(), "sgather", "-f", "there", "here"), world.errors());
    assertEquals(
        List.of(
            "source=/nowhere/there",
            "path=/nowhere/here",
            "gather=1",
            "flags=1",
            "node=n1:/spool/n1"),
        entries());
  }

  @Test
  void wrongCallsGetSlurmsTexts() {
    assertEquals(1, sbcast("file"));
    assertEquals(1, sbcast("file", "dir/"));
    assertEquals(1, sbcast("file", "copy"));
    controller.answer(new Response.Failed(ErrorCode.INVALID_JOB_ID, ""));
    assertEquals(255, sbcast("-j", "99", "file", "copy"));
    controller.answer(new Response.Failed(ErrorCode.USER_ID_MISSING, ""));
    assertEquals(255, sbcast("-j", "12.3", "file", "copy"));
    assertEquals(255, sbcast("-j", "x", "file", "copy"));
    assertEquals(
        """
        Need two file names, have 1 names
        Try "sbcast --help" for more information
        sbcast: error: Target filename cannot be a directory.
        sbcast: error: Need a job id to run this command.  Run from within a Slurm job or use the --jobid option.
        sbcast: error: Slurm job 99 lookup error: Invalid job id specified
        sbcast: error: Slurm job 12.3 lookup error: Invalid user id
        sbcast: error: Slurm job 0 lookup error: Invalid job id specified
        """,
        world.errors());
  }

  @Test
  void whatDoesNotMatterIsSaidAndTheFileIsSent() throws IOException {
    world.environment.put("SLURM_JOB_ID", "12");
    controller.answer(grant());
    assertEquals(0, sbcast("-s", "x", "-C=foo", "--send-libs=foo", "file", "copy"));
    assertEquals(
        """
        size specification is invalid, ignored
        sbcast: error: Compression type '=foo' unknown, disabling compression support.
        sbcast: error: Ignoring unrecognized --send-libs value 'foo'
        """,
        world.errors());
  }
}

package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.ProcFs;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verbs that ask who runs on a node, and those that steer the controller for a while. */
@Tag("pure")
class NodeUsersTest extends ScontrolSite {
  private static final Path SOCKET = Path.of("/spool/n1");

  private void node(StepFigures... steps) throws IOException {
    byte[] bytes = WireCodecs.stepAnswers().encode(new StepAnswer(true, List.of(steps)));
    ByteBuffer frame = ByteBuffer.allocate(5 + bytes.length);
    world.sockets.put(SOCKET, frame.put((byte) 'U').putInt(bytes.length).put(bytes).array());
    String boot = ProcFs.ofThisMachine().bootId();
    controller.answer(
        new Response.NodePlaces(
            List.of(new Response.StepNode("n1", boot, SOCKET.toString(), "n1", 6818))));
  }

  private static StepFigures step(int jobId, String name) {
    return new StepFigures(jobId, name, List.of(), List.of());
  }

  @Test
  void theUserAndGroupsOfEachStepArePrinted() throws IOException {
    node(step(12, "extern"), step(13, "0"), step(14, "0"));
    controller.answer(jobs(JobFixture.running(12), JobFixture.running(13).owner("gone", 77)));
    assertEquals(0, scontrol("getent", "n1"), world.errors());
    assertEquals(
        """
        JobId=12.Extern:
        User:
        alice:x:1001:1001:Alice Liddell:/home/alice:/bin/bash
        Groups:
        alice:x:1001:alice
        projecta:x:2001:alice

        JobId=13.0:
        User:
        gone:x:77:77:::
        Groups:
        77:x:77:gone

        """,
        world.printed());
  }

  @Test
  void aNodeWithoutStepsIsNoFailure() throws IOException {
    node();
    assertEquals(0, scontrol("getent"));
    controller.answer(new Response.NodePlaces(List.of()));
    assertEquals(0, scontrol("getent", "nosuch"));
    assertEquals("No steps found on this node\n".repeat(2), world.errors());
    assertEquals(1, scontrol("geten"));
    assertEquals("", world.printed());
  }

  @Test
  void theOwnerOfAConnectionIsNotFound() {
    assertEquals(1, scontrol("callerid", "1.2.3.4", "5", "1.2.3.5"));
    assertEquals(1, scontrol("callerid", "1.2.3", "5", "1.2.3.5", "6"));
    assertEquals(1, scontrol("call", "1.2.3.4", "x", "q", "6"));
    assertEquals(1, scontrol("callerid", "1.2.3.4", "5", "q", "6"));
    assertEquals(1, scontrol("callerid", "1.2.3.4", "5", "1.2.3.5", "y"));
    assertEquals(1, scontrol("callerid", "w", "x", "1.2.3.4", "6", "9"));
    assertEquals(1, scontrol("callerid", "w", "x", "1.2.3.4", "6", "x"));
    assertEquals(1, scontrol("callerid", "a::1", "5", "a::2", "6", "6"));
    assertEquals(
        """
        too few arguments for keyword:callerid
        scontrol: error: inet_pton failed for '1.2.3'
        callerid failure: No error
        scontrol: error: Source port not an integer
        callerid failure: No error
        scontrol: error: scontrol_callerid: inet_pton failed for 'q'
        callerid failure: No error
        scontrol: error: Destination port not an integer
        callerid failure: No error
        scontrol: error: Invalid address family: 9
        callerid failure: No error
        scontrol: error: Address family not an integer
        callerid failure: No error
        slurm_network_callerid: unable to retrieve callerid data from remote slurmd
        callerid failure: Requested operation not supported on this system
        """,
        world.errors());
    assertTrue(controller.requests.isEmpty());
  }

  @Test
  void theSchedulersLogIsSwitched() {
    controller.answer(done()).answer(done());
    assertEquals(0, scontrol("schedloglevel", "Enable"), world.errors());
    assertEquals(new Request.SetSchedulerLog(true), controller.requests.getLast());
    assertEquals(0, scontrol("sch", "0"), world.errors());
    assertEquals(new Request.SetSchedulerLog(false), controller.requests.getLast());
    int asked = controller.requests.size();
    assertEquals(0, scontrol("schedloglevel", "--", "-1"), world.errors());
    assertEquals(1, scontrol("schedloglevel", "5"));
    assertEquals(asked, controller.requests.size());
    controller.answer(new Response.Failed(ErrorCode.DISABLED, ""));
    assertEquals(1, scontrol("schedloglevel", "1"));
    assertEquals(
        """
        invalid schedlog level: 5
        slurm_set_schedlog_level error: Requested operation is presently disabled
        """,
        world.errors());
  }

  @Test
  void theControllerIsAborted() {
    controller.answer(done());
    assertEquals(0, scontrol("abort"), world.errors());
    assertEquals(new Request.Shutdown(true, true), controller.requests.getLast());
    controller.answer(new Response.Failed(ErrorCode.USER_ID_MISSING, ""));
    assertEquals(1, scontrol("abort"));
    assertEquals(1, scontrol("abor"));
    assertEquals("slurm_shutdown error: Invalid user id\ninvalid keyword: abor\n", world.errors());
  }

  @Test
  void theDampeningFactorIsTheConfigurations() {
    assertEquals(0, scontrol("fsdampeningfactor", "abc"));
    assertEquals(0, scontrol("fsd", "65536"));
    assertEquals(0, scontrol("-Q", "fsd", "0"));
    assertEquals(1, scontrol("fsd", "3"));
    assertEquals(1, scontrol("fs", "3"));
    assertEquals(
        """
        invalid dampening factor: abc
        invalid dampening factor: 65536
        slurm_set_fs_dampeningfactor error: Requested operation is presently disabled
        invalid keyword: fs
        """,
        world.errors());
  }
}

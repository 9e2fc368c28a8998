package io.dure.cli.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.cli.allocation.DisplayForwarding;
import io.dure.cli.command.DisplayForward;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.host.process.ProcFs;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.DisplayRequest;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code --x11} has the calling process do, and what it says where something is missing. */
@Tag("pure")
class DisplayOptionTest {
  private final FakeContext world = new FakeContext();

  private DisplayForwarding forwarding(String asked) throws CommandException {
    return DisplayForwarding.of(world.call("srun"), asked);
  }

  private String refusal(String asked, String flags) throws IOException {
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Text(List.of("PrologFlags             = " + flags)));
    try {
      forwarding(asked).check(controller.open(), "Refused: ");
      return "";
    } catch (CommandException e) {
      return e.messages().getLast().format("srun").strip();
    }
  }

  @Test
  void withoutItOrWithAWordThatSaysNothingNothingIsDone() throws CommandException {
    assertNull(forwarding(null));
    assertNull(forwarding("nothing"));
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertEquals(
        "srun: error: No DISPLAY variable set, cannot setup x11 forwarding.",
        refusal("", "Alloc,Contain,X11"));
    world.environment.put("DISPLAY", ":3");
    assertEquals(
        "srun: error: Refused: X11 forwarding not available", refusal("", "Alloc,Contain"));
    assertEquals("", refusal("", "Alloc,Contain,X11"));
    world.display = new DisplayForward.Answer(DisplayForward.Outcome.NO_XAUTH, "xauth: gone");
    assertEquals("srun: error: xauth: gone", refusal("", "x11"));
    world.display = new DisplayForward.Answer(DisplayForward.Outcome.NO_SERVER, "/x");
    assertEquals("srun: error: Cannot stat() local X11 socket `/x`", refusal("", "x11"));
    world.display = new DisplayForward.Answer(DisplayForward.Outcome.NO_DISPLAY, "n1: no");
    assertEquals("srun: error: X11 forwarding: n1: no", refusal("", "x11"));
  }

  @Test
  void theChosenNodesAreAsked() throws Exception {
    world.environment.put("DISPLAY", "127.0.0.1:3.0");
    String boot = ProcFs.ofThisMachine().bootId();
    forwarding("last")
        .open(
            7,
            2,
            List.of(
                new Response.StepNode("n1", boot, "/spool/n1", "n1", 6818),
                new Response.StepNode("n2", boot, "/spool/n2", "n2", 6818)));
    DisplayForward asked = assertNotNullValue(world.displayed);
    assertEquals(
        List.of("xauth=127.0.0.1:3.0", "server=127.0.0.1/6003", "node=n2:/spool/n2"),
        asked.entries());
    assertEquals(new DisplayRequest(7, 2), WireCodecs.displayRequests().decode(asked.request()));
  }

  private static DisplayForward assertNotNullValue(DisplayForward value) {
    assertNotNull(value);
    return value;
  }
}

package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.squeue.WatchCommand;
import io.dure.model.ErrorCode;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A watch shows what the controller says has changed, and asks for nothing else. */
@Tag("process")
class WatchTest {
  private static final Duration REST = Duration.ofMillis(200);

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private WatchTest jobs(String... names) {
    List<JobInfo> jobs =
        LabJobs.all().stream()
            .filter(info -> List.of(names).contains(info.job().spec().name()))
            .toList();
    controller.answer(new Response.Jobs(jobs, FakeContext.NOW));
    return this;
  }

  private WatchTest version(long version) {
    controller.answer(new Response.JobsVersion(version));
    return this;
  }

  private CommandContext call(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "dure-watch";
    System.arraycopy(words, 0, all, 1, words.length);
    return world.call(all);
  }

  /** Runs until the controller has nothing more to say. */
  private void watch(CommandContext call) {
    assertThrows(NoSuchElementException.class, () -> new WatchCommand().run(call));
  }

  private List<Long> seen() {
    return controller.requests.stream()
        .filter(Request.AwaitJobs.class::isInstance)
        .map(request -> ((Request.AwaitJobs) request).seen())
        .toList();
  }

  @Test
  void eachChangeIsShownOnceAndNothingIsAskedMeanwhile() {
    version(5).jobs("multi").version(5).version(6).jobs("multi").version(7).jobs();
    watch(call("-h", "-o", "%j"));
    assertEquals("multi\n\n\n", world.printed());
    assertEquals(List.of(0L, 5L, 5L, 6L, 7L), seen());
    assertEquals(List.of(REST, REST, REST), world.pauses);
    assertEquals("", world.errors());
  }

  @Test
  void onATerminalEachListingTakesTheLastOnesPlace() {
    version(5).jobs("multi").version(5).jobs("multi");
    CommandContext piped = call("-h", "-o", "%j");
    watch(piped.withTerminal(true));
    assertEquals("\033[H\033[2Jmulti\n".repeat(2), world.printed());
  }

  @Test
  void aControllerThatStartsAgainIsWaitedFor() {
    version(5).jobs("multi");
    controller.broken("gone").broken("gone");
    version(9).jobs();
    watch(call("-h", "-o", "%j"));
    assertEquals("multi\n\n\n", world.printed());
    assertEquals("slurm_load_jobs error: gone\n", world.errors());
    assertEquals(List.of(0L, 5L, 0L, 0L, 9L), seen());
    Duration retry = Duration.ofSeconds(1);
    assertEquals(List.of(REST, retry, retry, REST), world.pauses);
  }

  @Test
  void withoutAFirstListingItFails() {
    controller.answer(new Response.Failed(ErrorCode.RATE_LIMITED, ""));
    assertEquals(1, new WatchCommand().run(call()));
    assertTrue(world.errors().startsWith("slurm_load_jobs error: "), world.errors());
  }

  @Test
  void itsWordsAreThoseOfTheListing() {
    assertEquals(1, new WatchCommand().run(call("-i", "3")));
    assertEquals("dure-watch: error: --iterate is an option of squeue\n", world.errors());
    assertEquals(0, new WatchCommand().run(call("--help")));
    assertTrue(world.printed().startsWith("Usage: dure-watch [OPTIONS]\n"));
    assertEquals(1, new WatchCommand().run(call("nonsense")));
    assertTrue(world.printed().contains("Usage: dure-watch [-A account]"));
  }
}

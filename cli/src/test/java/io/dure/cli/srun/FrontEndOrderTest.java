package io.dure.cli.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.config.step.SrunDefaults;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class FrontEndOrderTest {
  private static final SrunDefaults SITE = new SrunDefaults(true, 90, "/site/before", "");

  @Test
  void theSiteSaysWhatTheCallDoesNot() throws Exception {
    assertEquals(List.of("kill_on_bad_exit=1", "wait=90"), ends(Map.of(), SITE));
    assertEquals(List.of("wait=0"), ends(Map.of(), null));
  }

  @Test
  void theCallOverridesTheSite() throws Exception {
    assertEquals(List.of("wait=7"), ends(Map.of(), SITE, "-K0", "-W7"));
    assertEquals(List.of("kill_on_bad_exit=1", "wait=0"), ends(Map.of(), SITE, "-W", "0"));
    assertEquals(List.of("kill_on_bad_exit=1", "wait=0"), ends(Map.of(), null, "-K"));
  }

  @Test
  void theEnvironmentIsBetweenBoth() throws Exception {
    Map<String, String> variables = Map.of("SLURM_KILL_BAD_EXIT", "0", "SLURM_WAIT", "5");
    assertEquals(List.of("wait=5"), ends(variables, SITE));
    assertEquals(List.of("kill_on_bad_exit=1", "wait=6"), ends(variables, SITE, "-K1", "-W6"));
  }

  @Test
  void theNearestWordOfAPrologCounts() throws Exception {
    assertEquals("/site/before", script(Map.of()).prolog());
    Map<String, String> variables = Map.of("SLURM_PROLOG", "mine", "SLURM_EPILOG", "after");
    assertEquals("mine", script(variables).prolog());
    assertEquals("after", script(variables).epilog());
    assertEquals("own", script(variables, "--prolog=own").prolog());
    SrunScript none = script(variables, "--prolog=none", "--epilog=None");
    assertTrue(none.prolog() == null && none.epilog() == null);
  }

  @Test
  void theFilesOfAllComponentsAreTheCallers() throws Exception {
    assertEquals(
        List.of(
            "stdin=all",
            "stdin_file=/nowhere/in",
            "component=0",
            "stdout_file=t:/nowhere/a",
            "component=1",
            "stdout=2",
            "stderr_file=t:/nowhere/a"),
        files("-i", "in", "-o", "a", "true", ":", "-n2", "-i", "in", "-o", "1", "-e", "a"));
    assertEquals(
        List.of("stdin=all", "component=0", "nodes read in", "component=1"),
        files("-i", "in", "-o", "%t", "true", ":", "-n2"));
  }

  /** Of an srun of two components: what the front end opens, and what their nodes do. */
  private static List<String> files(String... options) throws Exception {
    CommandContext context = context(Map.of(), options);
    List<FrontEndOrder.Part> parts = new ArrayList<>();
    int first = 0;
    for (StepCall call : new StepCallReader(context, SiteFilter.of(context)).read()) {
      List<Integer> ranks = IntStream.range(first, first + call.spec().tasks()).boxed().toList();
      List<StepShare> shares = List.of(new StepShare("n1", ranks, 1, 0, ranks));
      parts.add(part(call, shares, SITE));
      first += call.spec().tasks();
    }
    StepFrontEnd order = new FrontEndOrder(context, parts).order();
    List<String> files = new ArrayList<>();
    for (String entry : order.entries()) {
      if (entry.startsWith("std") || entry.startsWith("component=")) {
        files.add(entry);
      }
      if (entry.startsWith("component=")) {
        byte[] launch = order.launches().get(Integer.parseInt(entry.substring(10)));
        String input = WireCodecs.launchOrders().decode(launch).streams().input();
        if (!input.isEmpty()) {
          files.add("nodes read " + input);
        }
      }
    }
    return files;
  }

  private static SrunScript script(Map<String, String> variables, String... options)
      throws CommandException {
    CommandContext context = context(variables, options);
    return new SrunScript(context, part(context, SITE));
  }

  /** What the front end is told of how the step ends. */
  private static List<String> ends(
      Map<String, String> variables, @Nullable SrunDefaults site, String... options)
      throws IOException, CommandException {
    CommandContext context = context(variables, options);
    return new FrontEndOrder(context, List.of(part(context, site)))
        .order().entries().stream()
            .filter(entry -> entry.startsWith("wait=") || entry.startsWith("kill_on"))
            .toList();
  }

  private static CommandContext context(Map<String, String> variables, String... options) {
    FakeContext world = new FakeContext();
    world.environment.putAll(variables);
    List<String> words = new ArrayList<>(List.of("srun"));
    words.addAll(List.of(options));
    words.add("true");
    return world.call(words.toArray(String[]::new));
  }

  private static FrontEndOrder.Part part(CommandContext context, @Nullable SrunDefaults site)
      throws CommandException {
    StepCall call = new StepCallReader(context, SiteFilter.of(context)).read().getFirst();
    return part(call, List.of(new StepShare("n1", List.of(0), 1, 0, List.of(0))), site);
  }

  private static FrontEndOrder.Part part(
      StepCall call, List<StepShare> shares, @Nullable SrunDefaults site) {
    LaunchedStep step = LaunchedStep.begun(0, call.spec(), shares, Instant.EPOCH, null);
    return new FrontEndOrder.Part(
        new JobStep(7, 0),
        new Response.StepLaunch(new byte[0], new byte[0], step, List.of(), 30, 16, site),
        call);
  }
}

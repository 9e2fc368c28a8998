package io.dure.cli.sdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real Slurm 22.05.8 printed of its statistics, against ours. */
@Tag("pure")
class SdiagTest {
  private static final String RESET = "Reset scheduling statistics\n";

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private static String captured(String file) throws IOException {
    try (InputStream in = SdiagTest.class.getResourceAsStream("/captures/misc/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private int run(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of(words));
    all.addFirst("sdiag");
    return new Sdiag().run(world.call(all.toArray(String[]::new)));
  }

  /** Lines of requests that came equally often stand in no order that anybody could tell. */
  private static String withoutTies(String text) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int from = 0;
    while (from < lines.size()) {
      int to = from + 1;
      while (to < lines.size() && count(lines.get(from)).equals(count(lines.get(to)))) {
        to++;
      }
      Collections.sort(lines.subList(from, to));
      from = to;
    }
    return String.join("\n", lines);
  }

  private static String count(String line) {
    int end = line.indexOf(" ave_time:");
    return end < 0 ? line : line.substring(line.indexOf(" count:"), end);
  }

  @ParameterizedTest
  @CsvSource({
    "sdiag,",
    "sdiag,-a",
    "sdiag_busy,",
    "sdiag_fresh,",
    "sdiag_reset,--all",
    "sdiag_reset_waiting,",
    "sdiag_i,-i",
    "sdiag_i,--sort-by-id",
    "sdiag_t,-t",
    "sdiag_t,-i --sort-by-time",
    "sdiag_T,-T",
    "sdiag_T,--sort-by-time2 any words"
  })
  void figuresStandWhereSlurmPrintsThem(String file, String options) throws IOException {
    // Heterogeneous jobs are what Dure does not have.
    String expected = captured(file + ".out").replace("job components: 4", "job components: 0");
    controller.answer(new Response.Statistics(PrintedStatistics.of(expected)));
    String[] words = options == null ? new String[0] : options.split(" ");
    assertEquals(0, run(words), world::errors);
    boolean anyOrder = options == null || options.contains("-a");
    assertEquals(
        anyOrder ? withoutTies(expected) : expected,
        anyOrder ? withoutTies(world.printed()) : world.printed());
  }

  @Test
  void aResetSaysSo() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, run("-r"));
    assertEquals(RESET, world.printed());
    assertEquals(List.of(new Request.ResetStatistics()), controller.requests);
  }

  @Test
  void theLastOfAllAndResetIsDone() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, run("-a", "--reset"));
    assertEquals(RESET, world.printed());
  }

  @ParameterizedTest
  @CsvSource({"-r,slurm_reset_statistics", "-a,slurm_get_statistics"})
  void whoMayNotIsToldSo(String option, String function) {
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    assertEquals(255, run(option));
    assertEquals(function + ": Access/permission denied\n", world.errors());
  }

  @ParameterizedTest
  @CsvSource({"-r,slurm_reset_statistics", "-a,slurm_get_statistics"})
  void whereNobodyAnswersTheFunctionIsNamed(String option, String function) {
    assertEquals(255, new Sdiag().run(world.call("sdiag", option)));
    assertEquals(
        function + ": Unable to contact slurm controller (connect failure)\n", world.errors());
  }

  @Test
  void anotherClusterIsUnknown() {
    controller.answer(
        new Response.Cluster("lab", List.of(), List.of(), FakeContext.NOW, List.of()));
    assertEquals(1, run("-M", "x"));
    assertEquals(
        """
        sdiag: error: No cluster 'x' known by database.
        sdiag: error: 'x' can't be reached now, or it is an invalid entry for --cluster.  Use\
         'sacctmgr list clusters' to see available clusters.
        """,
        world.errors());
  }

  @ParameterizedTest
  @CsvSource({"-x,invalid option -- 'x'", "--cluster,option '--cluster' requires an argument"})
  void badOptionsAreRefused(String option, String complaint) {
    assertEquals(1, run(option));
    assertEquals(
        "sdiag: " + complaint + "\nTry \"sdiag --help\" for more information\n", world.errors());
  }

  @ParameterizedTest
  @CsvSource({"--json", "--json=v0.0.42"})
  void figuresAreMembersOfADocument(String option) throws IOException {
    String expected = captured("sdiag.out");
    controller.answer(new Response.Statistics(PrintedStatistics.of(expected)));
    controller.answer(
        new Response.Cluster("lab", List.of(), List.of(), FakeContext.NOW, List.of()));
    assertEquals(0, run(option), world::errors);
    String text = world.printed().replaceAll("\\s", "").replace("\"parts_packed\":1,", "");
    for (String member :
        List.of(
            "{\"statistics\":{\"req_time\":{\"set\":true,",
            "\"number\":1795190502},\"req_time_start\"",
            "\"jobs_submitted\":184,\"jobs_started\":96,\"jobs_completed\":74,",
            "\"schedule_cycle_max\":19458,\"schedule_cycle_last\":110,",
            "\"schedule_cycle_mean\":387,\"schedule_cycle_mean_depth\":5,",
            "\"schedule_cycle_per_minute\":3,",
            "\"bf_cycle_counter\":30,\"bf_cycle_mean\":1317,\"bf_depth_mean\":9,",
            "\"message_type\":\"REQUEST_JOB_INFO\",\"count\":208,",
            "\"total_time\":133924,\"average_time\":{\"set\":true,\"infinite\":false,\"number\":643}}",
            "\"pending_rpcs\":[],\"pending_rpcs_by_hostlist\":[]},\"meta\":",
            "\"command\":[\"sdiag\",\"" + option + "\"]",
            "\"cluster\":\"lab\"")) {
      assertTrue(text.contains(member), () -> member + " in " + text);
    }
  }

  @Test
  void beforeTheFirstPassMeansAreZero() throws IOException {
    String expected = captured("sdiag_fresh.out");
    controller.answer(new Response.Statistics(PrintedStatistics.of(expected)));
    controller.answer(
        new Response.Cluster("lab", List.of(), List.of(), FakeContext.NOW, List.of()));
    assertEquals(0, run("--yaml"), world::errors);
    assertTrue(world.printed().startsWith("%YAML 1.1\n--- !!map\n!!str statistics: !!map\n"));
    assertTrue(world.printed().contains("  !!str bf_cycle_mean: !!int 0\n"));
  }
}

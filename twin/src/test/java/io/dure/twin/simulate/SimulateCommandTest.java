package io.dure.twin.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

@Tag("pure")
class SimulateCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos;

  /** A clock that goes on by 50 ms whenever it is looked at. */
  private long tick() {
    nanos += 50_000_000;
    return nanos;
  }

  private int simulate(String line) {
    return simulate(line, false);
  }

  private int simulate(String line, boolean bar) {
    out.reset();
    err.reset();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new SimulateCommand(to, errors, folder(), this::tick, bar).run(List.of(line.split(" ")));
  }

  private static Path folder() {
    try {
      return Path.of(SimulateCommandTest.class.getResource("/twin").toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String complaint() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** The values of a document by their paths, in order: {@code runs.0.jobs=4}. */
  private static List<String> values(String json) {
    List<String> values = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          String path = parser.streamReadContext().pathAsPointer().toString();
          values.add(path.substring(1).replace('/', '.') + "=" + parser.getString());
        }
      }
    }
    return values;
  }

  @Test
  void aTableSaysWhatTheJobsWentThrough() {
    assertEquals(0, simulate("--trace small.swf"));
    List<String> lines = printed().lines().toList();
    assertTrue(
        lines.get(0).startsWith("POLICY    WINDOW JOBS BSLD P99 MAX WAIT_MEAN"), lines.get(0));
    // Waits 0, 90, 0 and 170 s: job 4 does not fit beside job 2 before its limit.
    assertTrue(lines.get(1).startsWith("fcfs/easy all       4 "), lines.get(1));
    assertEquals("fcfs/easy: 3 finished, 1 ended by their limits", lines.get(2));
    assertEquals(
        "trace: 1 x more processors than the machine has (first in line 10)", lines.get(3));
  }

  @Test
  void aDocumentHasEveryNumber() {
    assertEquals(0, simulate("--trace=small.swf --json --backfill none,easy"));
    List<String> values = values(printed());
    assertTrue(
        values.containsAll(
            List.of(
                "runs.0.trace=small.swf",
                "runs.0.policy.order=fcfs",
                "runs.0.policy.backfill=none",
                "runs.0.jobs=4",
                "runs.0.wait_seconds.mean=110.0",
                "runs.0.wait_seconds.max=180.0",
                "runs.1.policy.backfill=easy",
                "runs.1.jobs=4",
                "runs.1.wait_seconds.mean=65.0",
                "runs.1.wait_seconds.p99=170.0",
                "runs.1.wait_seconds.max=170.0",
                "runs.1.bounded_slowdown.mean=1.33125",
                "runs.1.bounded_slowdown.max=1.9",
                "runs.1.utilization=0.458333",
                "runs.1.endings.finished=3",
                "runs.1.endings.timed_out=1",
                "skipped.0.count=1")),
        printed());
    assertTrue(values.stream().anyMatch(value -> value.startsWith("runs.1.wall_seconds=0.")));
    assertTrue(values.stream().anyMatch(value -> value.startsWith("runs.1.jobs_per_second=")));
    assertTrue(values.stream().anyMatch(value -> value.matches("runs.1.schedule_.*=[0-9a-f]{64}")));
  }

  @Test
  void aWindowBeginsWithAnEmptyMachine() {
    assertEquals(0, simulate("--trace small.swf --window 1:2 --window 3:1 --json"));
    List<String> values = values(printed());
    assertTrue(
        values.containsAll(
            List.of(
                "runs.0.jobs=3",
                "runs.0.wait_seconds.mean=22.5",
                "runs.0.windows.0.window.start=1",
                "runs.0.windows.0.wait_seconds.mean=45.0",
                "runs.0.windows.1.window.count=1",
                "runs.0.windows.1.wait_seconds.mean=0.0")),
        printed());
    assertEquals(0, simulate("--trace small.swf --window 1:2"));
    assertTrue(printed().contains("fcfs/easy 1:2"), printed());
  }

  @Test
  void aPageStandsAlone(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    assertEquals(0, simulate("--trace small.swf --order fcfs,sjf --html " + page));
    String html = Files.readString(page);
    assertEquals(5, html.lines().filter(line -> line.startsWith("<h2>")).count());
    assertTrue(html.contains("fcfs/easy") && html.contains("sjf/easy"));
    assertFalse(html.contains("<script") || html.contains("http"), "something from outside");
    assertFalse(html.contains("NaN"));
  }

  @Test
  void aStreamMeetsTheRulesOfItsSite() {
    assertEquals(0, simulate("--trace site.events --conf site.conf --json"));
    List<String> values = values(printed());
    assertTrue(
        values.containsAll(
            List.of(
                "runs.0.policy.backfill=conf",
                "runs.0.jobs=7",
                "runs.0.wait_seconds.max=599.0",
                "runs.0.endings.finished=3",
                "runs.0.endings.timed_out=1",
                "runs.0.endings.refused.Requested time limit is invalid (missing or exceeds some"
                    + " limit)=1",
                "runs.0.endings.refused.there is no partition none=1",
                "runs.0.endings.never_started.PartitionDown=1")),
        printed());
  }

  @Test
  void nodesFailTheSameWayForTheSameSeed() {
    String line = "--trace small.swf --nodes 5 --failures 10m:2m --json --seed ";
    assertEquals(0, simulate(line + 3), complaint());
    List<String> first = values(printed());
    simulate(line + 3);
    assertEquals(digest(first), digest(values(printed())));
    boolean differs = false;
    for (int seed = 4; seed < 14; seed++) {
      simulate(line + seed);
      differs |= !digest(first).equals(digest(values(printed())));
    }
    assertTrue(differs, "no seed changes anything");
  }

  private static String digest(List<String> values) {
    return values.stream().filter(value -> value.contains("sha256")).findFirst().orElseThrow();
  }

  @Test
  void aBarMovesWhereSomebodyLooks() {
    assertEquals(0, simulate("--trace small.swf", true));
    assertEquals("", complaint(), "shorter than a second");
    long[] now = {0};
    PrintStream terminal = new PrintStream(err, true, StandardCharsets.UTF_8);
    ProgressBar bar = new ProgressBar(terminal, "fcfs/easy", () -> now[0]);
    bar.at(1, 100);
    assertEquals("", complaint());
    now[0] = 2_000_000_000L;
    bar.at(25, 100);
    bar.at(26, 100);
    assertEquals(
        "\rfcfs/easy [##########..............................] 25/100 jobs, about 6 s left \u001b[K",
        complaint());
    bar.clear();
    assertTrue(complaint().endsWith("\r\u001b[K"));
  }

  @Test
  void helpNamesEveryOption() {
    assertEquals(0, simulate("--help"));
    for (String option : SimulateOptionReader.KNOWN) {
      assertTrue(printed().contains("  " + option + " "), option);
    }
  }

  @Test
  void wrongUsageIsExplained() {
    record Case(String line, String text) {}
    for (Case one :
        List.of(
            new Case("--json", "name a log with --trace FILE (see --help)"),
            new Case("small.swf", "there is no option small.swf (see --help)"),
            new Case("--trace", "option --trace requires an argument"),
            new Case(
                "--order best",
                "--order best: there is fcfs, sjf, saf, f1, f4, wfp3, multifactor, dure only"),
            new Case(
                "--backfill x", "--backfill x: there is none, easy, sjbf, conservative, conf only"),
            new Case("--estimates x", "--estimates x: there is limit, actual, predicted only"),
            new Case("--filter pwa", "--filter pwa: there is sc15 only"),
            new Case("--procs 0", "--procs 0: give a number from 1 to 9999999"),
            new Case(
                "--window 5", "--window 5: give START:COUNT, such as 1981:1024, COUNT at least 1"),
            new Case(
                "--trace small.swf --window 3:2",
                "--window 3:2: the trace has 4 jobs that can be replayed"),
            new Case(
                "--starvation-bound soon",
                "--starvation-bound soon: give a time such as 48h, 30m, 2d or 90s, at most 36500d"),
            new Case(
                "--failures 5h",
                "--failures 5h: give mean time to a failure and to its repair:" + " 1000h:4h"),
            new Case(
                "--trace small.swf --failures 5h:1h",
                "--failures: the machine is one node, with which everything fails; say how many it"
                    + " has with --nodes"),
            new Case("--forecast 0", "--forecast 0: give a number from 1 to 9999999"),
            new Case("--trace x --seed 1", "--seed is the seed of --failures: give both or none"),
            new Case(
                "--trace small.swf --nodes 3 --procs 10",
                "--procs 10 are not the same number on each of 3 nodes"),
            new Case(
                "--trace x --order multifactor",
                "--order multifactor: its weights are in a slurm.conf (--conf)"),
            new Case(
                "--trace x --conf y --order multifactor --starvation-bound 48h",
                "--starvation-bound: with multifactor, age is a factor"),
            new Case(
                "--trace x --accounts y",
                "--accounts: what they bind is said by a slurm.conf (--conf)"),
            new Case(
                "--trace x --conf y --nodes 2",
                "--conf says what the machine has: leave out --nodes and --procs"))) {
      String line = one.line().contains("--trace") ? one.line() : one.line() + " --trace small.swf";
      line = one.text().contains("--trace") ? one.line() : line;
      assertEquals(2, simulate(line), line);
      assertEquals("simulate: " + one.text() + "\n", complaint());
    }
  }

  @Test
  void whatCannotBeHadIsNamed() {
    assertEquals(1, simulate("--trace nothing.swf"));
    assertTrue(complaint().contains("nothing.swf: cannot be read: there is no such file; "));
    assertEquals(1, simulate("--trace site.events"));
    assertTrue(complaint().contains("describe the cluster with --conf slurm.conf"));
    assertEquals(1, simulate("--trace small.swf --conf nothing.conf"));
    assertTrue(complaint().contains("nothing.conf: cannot be read"));
    assertEquals(1, simulate("--trace site.conf"));
    assertTrue(complaint().contains("site.conf:1: column 1: not a number: ClusterName=site; "));
    assertEquals(1, simulate("--trace small.swf --html /nowhere/page.html"));
    assertTrue(complaint().contains("cannot write"));
  }
}

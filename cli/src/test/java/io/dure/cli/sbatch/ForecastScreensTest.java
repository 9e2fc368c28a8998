package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.forecast.ForecastCommand;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecastInfo;
import io.dure.surface.language.LocalizedPhrases;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When jobs start, in each situation: each job that can be told of starts an hour after the last.
 */
@Tag("pure")
class ForecastScreensTest {
  private static final long HOUR = 3600;

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  static List<String> names() {
    return Situation.NAMES;
  }

  private static AccuracyRow row(Long until, long jobs) {
    Duration end = until == null ? null : Duration.ofMinutes(until);
    Duration error = Duration.ofMinutes(until == null ? 500 : until / 5);
    return new AccuracyRow(end, jobs, error, 0.81, jobs == 1 ? null : error.multipliedBy(3));
  }

  private static Response.ForecastAccuracy accuracy(Instant now, long runs, boolean made) {
    List<AccuracyRow> rows = new ArrayList<>();
    if (runs > 0) {
      rows.add(row(10L, 40));
      rows.add(row(60L, 120));
      rows.add(row(1440L, 25));
      rows.add(row(null, 1));
    }
    AccuracyRow all = rows.isEmpty() ? null : row(null, 186);
    return new Response.ForecastAccuracy("test", rows, all, runs, made, now);
  }

  private static JobInfo info(Site site, Job job, StartForecastInfo forecast) {
    String reason =
        job.state() instanceof JobState.Pending pending && pending.reason() != null
            ? pending.reason()
            : "Resources";
    return new JobInfo(
        job, reason, null, List.of(), site.now(), true, "", false, List.of(), null, forecast);
  }

  private static List<JobInfo> jobs(Site site) {
    List<JobInfo> infos = new ArrayList<>();
    long hours = 0;
    for (Job job : site.state().jobs()) {
      JobInfo bare = info(site, job, null);
      boolean told = job.state() instanceof JobState.Pending && bare.reason().equals("Resources");
      hours += told ? 1 : 0;
      Instant middle = site.now().plusSeconds(hours * HOUR);
      StartForecastInfo forecast =
          new StartForecastInfo(
              site.now(),
              middle.minusSeconds(HOUR / 2),
              middle,
              middle.plusSeconds(2 * HOUR),
              hours % 2 == 0 ? null : middle.plusSeconds(5 * HOUR));
      infos.add(told ? info(site, job, forecast) : bare);
    }
    return infos;
  }

  private String run(String... options) {
    world.controller = controller;
    world.out.reset();
    List<String> words = new ArrayList<>(List.of("dure-forecast"));
    words.addAll(List.of(options));
    assertEquals(
        0, new ForecastCommand().run(world.call(words.toArray(String[]::new))), world.errors());
    return world.printed();
  }

  private String screen(Site site, List<JobInfo> infos, String... options) {
    controller.answer(accuracy(site.now(), 100, true));
    controller.answer(new Response.Jobs(infos, site.now()));
    return run(options);
  }

  @ParameterizedTest
  @MethodSource("names")
  void theScreenIsAsKept(String name) throws IOException {
    Situation situation = Situation.of(name);
    Site site = situation.site();
    situation.keep(
        "forecast",
        language -> {
          world.environment.put("LANG", language);
          String one =
              screen(
                  site, jobs(site).stream().filter(isAsked(situation)).toList(), situation.asked());
          return screen(site, jobs(site)) + "\n" + one;
        });
  }

  private static java.util.function.Predicate<JobInfo> isAsked(Situation situation) {
    int asked = Integer.parseInt(situation.asked());
    return info -> info.job().id() == asked || info.job().baseId() == asked;
  }

  private Site site(String situation) throws IOException {
    return Situation.of(situation).site();
  }

  @Test
  void howWellItHeldIsTold() throws IOException {
    Site site = site("full-cluster");
    controller.answer(accuracy(site.now(), 100, true));
    String seen = run("--accuracy");
    assertTrue(seen.contains("up to 10 min    40"), seen);
    assertTrue(seen.contains("81%"), seen);
    assertTrue(seen.contains("the last line of the last 1000 of any"), seen);
    world.environment.put("LANG", "ko_KR.UTF-8");
    controller.answer(accuracy(site.now(), 100, true));
    String korean = run("--accuracy");
    assertTrue(korean.contains("10분 이하"), korean);
    assertTrue(korean.contains("최근 작업 1000개까지"), korean);
    assertEquals(List.of(), controller.requests.stream().filter(this::asksForJobs).toList());
  }

  private boolean asksForJobs(Request request) {
    return request instanceof Request.ListJobs;
  }

  @Test
  void nothingIsKnownYet() throws IOException {
    controller.answer(accuracy(site("full-cluster").now(), 0, true));
    assertTrue(run("--accuracy").contains("Nothing can be said yet"));
  }

  @Test
  void aClusterWithoutHistorySaysSo() throws IOException {
    Site site = site("full-cluster");
    controller.answer(accuracy(site.now(), 0, true));
    controller.answer(new Response.Jobs(jobs(site), site.now()));
    assertTrue(run().contains("No job has ended on this cluster yet"));
    controller.answer(accuracy(site.now(), 0, false));
    controller.answer(new Response.Jobs(List.of(), site.now()));
    String none = run();
    assertTrue(none.contains("No job waits."), none);
  }

  @Test
  void aJobThatIsNotThereIsToldOf() throws IOException {
    Site site = site("full-cluster");
    controller.answer(accuracy(site.now(), 100, true));
    controller.answer(new Response.Jobs(List.of(), site.now()));
    world.controller = controller;
    assertEquals(1, new ForecastCommand().run(world.call("dure-forecast", "4711")));
    assertEquals("dure-forecast: error: Invalid job id specified: 4711\n", world.errors());
    assertEquals(1, new ForecastCommand().run(world.call("dure-forecast", "soon")));
    assertTrue(world.errors().contains("Invalid job id specified: soon"), world.errors());
  }

  @Test
  void aTaskOfAnArrayIsAskedForByItsNumber() throws IOException {
    Site site = site("array-throttle");
    List<JobInfo> all = jobs(site);
    String one = screen(site, all, all.getFirst().job().baseId() + "_5");
    assertEquals(1, one.lines().filter(line -> line.startsWith("Job ")).count(), one);
    String tasks = screen(site, all, Integer.toString(all.getFirst().job().baseId()));
    assertTrue(tasks.lines().filter(line -> line.startsWith("Job ")).count() > 1, tasks);
  }

  @Test
  void asADocument() throws IOException {
    Site site = site("full-cluster");
    String json = screen(site, jobs(site), "--json");
    assertTrue(json.contains("\"p50\""), json);
    assertTrue(json.contains("\"state\": \"expected\""), json);
    controller.answer(accuracy(site.now(), 100, true));
    String accuracy = run("--accuracy", "--json");
    assertTrue(accuracy.contains("\"mean_error_seconds\": 120"), accuracy);
  }

  @Test
  void onlyTheJobsOfOne() throws IOException {
    Site site = site("own-order");
    screen(site, List.of(), "-u", "alice");
    assertEquals(new Request.ListJobs(List.of(), "alice", false), controller.requests.getLast());
    String own = screen(site, jobs(site), "--me");
    assertFalse(own.contains("carol"), own);
  }

  @Test
  void bothLanguagesHaveTheSamePhrases() {
    LocalizedPhrases english = LocalizedPhrases.of(ForecastCommand.class, Map.of());
    LocalizedPhrases korean =
        LocalizedPhrases.of(ForecastCommand.class, Map.of("LANG", "ko_KR.UTF-8"));
    assertEquals(english.names(), korean.names());
    for (String name : english.names()) {
      for (String value : List.of("{0}", "{1}", "{2}")) {
        assertEquals(english.text(name).contains(value), korean.text(name).contains(value), name);
      }
    }
  }
}

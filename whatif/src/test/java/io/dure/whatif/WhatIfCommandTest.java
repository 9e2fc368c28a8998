package io.dure.whatif;

import static io.dure.whatif.Asked.job;
import static io.dure.whatif.Asked.ofLog;
import static io.dure.whatif.Asked.starts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.twin.result.ReplayResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small sites of which can be said by hand what would be. */
@Tag("pure")
class WhatIfCommandTest {
  @TempDir Path folder;
  private Asked site;

  @BeforeEach
  void aSite() throws Exception {
    site = new Asked(folder);
  }

  private static String gpus(int second) {
    return job(second, "ann", 1000, "-n 1 -q gpu --gres=gpu:2");
  }

  @Test
  void moreGpusInAQosShortenTheWaitsOfItsJobs() throws Exception {
    site.log(gpus(0), gpus(0), gpus(0), gpus(0), job(1, "bob", 100, "-n 1"));
    WhatIfComparison answer = site.answer("--qos", "gpu:GrpTRES=gres/gpu=+2");
    assertEquals("0 1000 2000 3000 1", starts(answer.outcomes().get(0)));
    assertEquals("0 0 1000 1000 1", starts(answer.outcomes().get(1)));
    WaitStatistics is = answer.total().figures().get(0);
    WaitStatistics would = answer.total().figures().get(1);
    assertEquals(1200, is.mean());
    assertEquals(400, would.mean());
    assertEquals(1000, is.median());
    assertEquals(3000, is.longest());
    assertEquals(1000, would.longest());
    // Four jobs of 1000 s that wait 0, 1000, 2000, 3000 s, and one that does not wait.
    assertEquals((1 + 2 + 3 + 4 + 1) / 5.0, is.slowdown(), 1e-9);
    WhatIfComparison.Group bio = answer.people(WhatIfJobResult.JobOwnerFacts::account).getFirst();
    assertEquals("bio", bio.name());
    assertEquals(-1000, bio.longer(1));
    assertEquals(3, answer.moved(1).earlier());
    assertEquals(0, answer.moved(1).later());
    // 4000 GPU-seconds of two GPUs each on eight, in three hours.
    assertEquals(8000 / (8 * 10_800.0), answer.base().gpusInUse(), 1e-9);
  }

  @Test
  void aChangeThatChangesNothingGivesTheSameFigures() throws Exception {
    site.log(gpus(0), gpus(0), gpus(5), job(9, "bob", 100, "-n 4"));
    WhatIfComparison answer = site.answer("--qos", "gpu:GrpTRES=gres/gpu=+0");
    assertEquals(answer.base().digest(), answer.outcomes().get(1).digest());
    assertEquals(answer.total().figures().get(0), answer.total().figures().get(1));
    assertEquals(answer.base().fates(), answer.outcomes().get(1).fates());
    String text = site.printed(ofLog("--qos", "gpu:GrpTRES=gres/gpu=+0"));
    assertTrue(text.contains("Every job starts when and where it does"), text);
  }

  @Test
  void aDrainedNodeLowersCapacity() throws Exception {
    site.log(
        job(0, "ann", 1000, "-n 4 -N 1"),
        job(0, "bob", 1000, "-n 4 -N 1"),
        job(10, "ann", 1000, "-n 4 -N 1"));
    WhatIfComparison answer = site.answer("--drain", "n2");
    assertEquals(8, answer.base().size().openCpus());
    assertEquals(4, answer.outcomes().get(1).size().openCpus());
    assertEquals("0 0 1000", starts(answer.outcomes().get(0)));
    assertEquals("0 1000 2000", starts(answer.outcomes().get(1)));
  }

  @Test
  void jobsOnADrainedNodeRunOnAndThoseOnALostOneStartAnew() throws Exception {
    site.log(
        job(0, "ann", 2000, "-n 4 -w n2"),
        job(0, "bob", 100, "-n 4 -w n1"),
        job(500, "bob", 100, "-n 1"));
    List<String> words =
        List.of(
            "--from",
            "1970-01-01T00:05:00",
            "--for",
            "3h",
            "--drain",
            "n2",
            "--or",
            "--down",
            "n2");
    WhatIfComparison answer = site.answerTo(words);
    assertEquals("0 0 500", starts(answer.outcomes().get(1)));
    // n2 is asked for by name and does not come back: the job is requeued and waits for ever.
    assertEquals("- 0 500", starts(answer.outcomes().get(2)));
    assertEquals(1, answer.outcomes().get(2).interruptions().lost());
    assertEquals(1, answer.running());
  }

  @Test
  void moreNodesTakeJobsAtOnce() throws Exception {
    site.log(
        job(0, "ann", 1000, "-n 4 -N 1"),
        job(0, "bob", 1000, "-n 4 -N 1"),
        job(10, "ann", 1000, "-n 4 -N 1"));
    WhatIfComparison answer = site.answer("--add-nodes", "1:n2");
    assertEquals("0 0 10", starts(answer.outcomes().get(1)));
    assertEquals(12, answer.outcomes().get(1).size().openCpus());
  }

  @Test
  void aSubmittedJobStartsAndDelaysOthers() throws Exception {
    site.log(
        job(0, "ann", 1000, "-n 4 -w n1"),
        job(0, "bob", 2000, "-n 4 -w n2"),
        job(20, "bob", 500, "-n 4 -N 1"));
    WhatIfComparison answer =
        site.answer(
            "--submit", "-n 4 -N 1 -t 30 --uid=ann", "--run-time", "600", "--or", "--drain", "n2");
    assertEquals("0 0 1000", starts(answer.base()));
    ScenarioResult with = answer.outcomes().get(1);
    // It comes first of all, at the begin: before those of the log's first second.
    assertEquals(1, with.submitted().size());
    WhatIfJobResult own = with.submitted().getFirst();
    assertEquals("bio", own.who().account());
    assertEquals(600, own.run());
    assertEquals(3, with.fates().size());
    assertTrue(own.start() != null, with.toString());
    assertEquals(0, answer.outcomes().get(2).submitted().size());
    String text = site.printed(ofLog("--submit", "-n 4 -N 1 -t 30", "--run-time", "600"));
    assertTrue(text.contains("submitted (4 CPUs) would start 1970-01-01 "), text);
  }

  @Test
  void aChangeThatCannotHaveAnEffectSaysWhy() throws Exception {
    site.log(job(0, "ann", 10, "-n 1"));
    String qos = "PreemptType=preempt/qos PreemptMode=REQUEUE";
    String text = site.printed(ofLog("--set", qos));
    assertTrue(text.contains("Nobody has to make room: no QOS says which it may preempt"), text);
    text = site.printed(ofLog("--set", qos, "--sacctmgr", "modify qos high set preempt=normal"));
    assertFalse(text.contains("make room"), text);
    text = site.printed(ofLog("--qos", "gpu:GrpTRES=gres/gpu=+64"));
    assertFalse(text.contains("Limits bind nobody"), text);
    List<String> loose = List.of("--set", "AccountingStorageEnforce=associations");
    for (List<String> change :
        List.of(
            List.of("--qos", "gpu:GrpTRES=gres/gpu=+64"),
            List.of("--sacctmgr", "modify qos gpu set maxjobs=3"))) {
      List<String> words = new ArrayList<>(loose);
      words.addAll(change);
      text = site.printed(ofLog(words.toArray(String[]::new)));
      assertTrue(text.contains("Limits bind nobody here: AccountingStorageEnforce"), text);
    }
  }

  @Test
  void ofAScriptTheLinesCountAndTheCommandLineStandsOverThem() throws Exception {
    site.log(job(0, "bob", 10, "-n 1"));
    site.file("sweep.sh", "#!/bin/sh\n#SBATCH --array=1-4%1 -n 4 -t 10 --uid=ann\ntrue\n");
    site.file("pair.sh", "#!/bin/sh\n#SBATCH -n 2 -t 20 --uid=ann\n#SBATCH hetjob\n#SBATCH -n 3\n");
    WhatIfComparison answer =
        site.answer(
            "--submit",
            "sweep.sh",
            "--or",
            "--submit",
            "-t 5 sweep.sh",
            "--or",
            "--submit",
            "pair.sh");
    assertEquals("0 600 1200 1800", submitted(answer.outcomes().get(1)));
    assertEquals("0 300 600 900", submitted(answer.outcomes().get(2)));
    List<WhatIfJobResult> pair = answer.outcomes().get(3).submitted();
    assertEquals(List.of(2, 3), pair.stream().map(fate -> fate.who().cpus()).toList());
    assertEquals("ann ann", pair.get(0).who().user() + " " + pair.get(1).who().user());
    assertEquals(pair.get(0).start(), pair.get(1).start());
  }

  private static String submitted(ScenarioResult outcome) {
    return String.join(
        " ", outcome.submitted().stream().map(fate -> String.valueOf(fate.start())).toList());
  }

  @Test
  void aSubmittedJobThatIsRefusedSaysWhy() throws Exception {
    site.log(job(0, "ann", 10, "-n 1"));
    String text = site.printed(ofLog("--submit", "-n 1 --uid=eve"));
    assertTrue(text.contains("would be refused: Invalid account"), text);
    text = site.printed(ofLog("--submit", "-N 3 -n 3 --uid=ann"));
    assertTrue(text.contains("would not start within 30 days: it waits for Partition"), text);
  }

  @Test
  void preemptionCanBeOn() throws Exception {
    site.log(
        job(0, "ann", 3000, "-n 4 -N 1 -w n1"),
        job(0, "ann", 3000, "-n 4 -N 1 -w n2"),
        job(100, "bob", 200, "-n 4 -N 1 -q high"));
    WhatIfComparison answer =
        site.answer(
            "--set",
            "PreemptType=preempt/qos",
            "--set",
            "PreemptMode=REQUEUE",
            "--sacctmgr",
            "modify qos high set preempt=normal");
    assertEquals(3000, answer.base().fates().get(2).start());
    ScenarioResult on = answer.outcomes().get(1);
    assertEquals(101, on.fates().get(2).start(), starts(on));
    assertEquals(1, on.interruptions().requeued());
    assertEquals(new ReplayResult.ComputeTime(400, 0), on.interruptions().madeRoom());
    assertEquals(1, answer.moved(1).later());
    List<String> words =
        ofLog(
            "--set",
            "PreemptType=preempt/qos PreemptMode=REQUEUE",
            "--sacctmgr",
            "modify qos high set preempt=normal");
    String text = site.printed(words);
    assertTrue(
        text.lines().anyMatch(line -> line.matches("CPU hours lost to preemption +0\\.0 +0\\.1")),
        text);
  }

  @Test
  void aPartitionCanBeOtherwiseOrNew() throws Exception {
    site.log(job(0, "ann", 1000, "-n 8"), job(1, "bob", 10, "-n 4"));
    WhatIfComparison answer = site.answer("--partition", "PartitionName=day State=DOWN");
    assertEquals("- -", starts(answer.outcomes().get(1)));
    answer =
        site.answer(
            "--add-nodes",
            "1:n2",
            "--partition",
            "PartitionName=fast Nodes=n2-1",
            "--submit",
            "-p fast -n 4 --uid=bob");
    assertEquals(0, answer.outcomes().get(1).submitted().getFirst().start());
  }

  @Test
  void aReservationKeepsOthersOff() throws Exception {
    site.log(job(0, "ann", 1000, "-n 4 -w n2"), job(1, "bob", 10, "-n 4 -w n2"));
    WhatIfComparison answer =
        site.answer(
            "--reservation",
            "ReservationName=course StartTime=now Duration=60 Nodes=n2 Users=bob",
            "--submit",
            "-n 4 --reservation=course --uid=bob");
    // The reservation is from the first second on, for an hour: ann runs after it.
    assertEquals("3600 4600", starts(answer.outcomes().get(1)));
    assertEquals(0, answer.outcomes().get(1).submitted().getFirst().start());
  }

  @Test
  void anotherOrderIsAnotherSchedule() throws Exception {
    site.log(
        job(0, "ann", 1000, "-n 8"),
        job(1, "ann", 3000, "-n 8 -t 60"),
        job(2, "bob", 60, "-n 8 -t 5"));
    WhatIfComparison answer = site.answer("--order", "sjf", "--or", "--order", "dure");
    assertEquals("0 1000 4000", starts(answer.base()));
    assertEquals("0 1060 1000", starts(answer.outcomes().get(1)));
    assertNotEquals(answer.base().digest(), answer.outcomes().get(2).digest());
  }

  @Test
  void aDayOfALogBeginsWithWhatRunsAndWaitsThen() throws Exception {
    int day = 86_400;
    site.log(
        job(day - 1000, "ann", 2000, "-n 8 -t 60"),
        job(day - 500, "bob", 700, "-n 8 -t 60"),
        job(day + 100, "ann", 50, "-n 8 -t 60"),
        job(3 * day, "ann", 50, "-n 8 -t 60"));
    List<String> words =
        List.of("--day", "2", "--drain", "n2", "--or", "--set", "PriorityWeightAge=0");
    WhatIfComparison answer = site.answerTo(words);
    assertEquals(1, answer.running());
    assertEquals(1, answer.waiting());
    assertEquals(List.of(1, 2), answer.places());
    assertEquals((day - 1000) + " " + (day + 1000) + " " + (day + 1700), starts(answer.base()));
    // Nobody of eight cores fits any more; who runs runs on.
    assertEquals((day - 1000) + " - -", starts(answer.outcomes().get(1)));
    assertEquals(0, answer.total().figures().get(1).started());
    assertEquals(day + 500, answer.total().figures().get(1).longest());
  }

  private static String untimed(int second, int runs) {
    return job(second, "ann", runs, "-n 8").replace(" -t 60", "");
  }

  @Test
  void anotherLimitOfAPartitionIsNoOtherRunTime() throws Exception {
    int day = 86_400;
    site.log(
        untimed(0, 600),
        untimed(1000, 900),
        untimed(2000, 600),
        untimed(day + 100, 5000),
        untimed(day + 200, 5000));
    WhatIfComparison answer =
        site.answerTo(
            List.of(
                "--day",
                "2",
                "--run-times",
                "predicted",
                "--partition",
                "PartitionName=day MaxTime=20:00:00"));
    assertEquals(starts(answer.base()), starts(answer.outcomes().get(1)));
  }

  @Test
  void theSameQuestionHasTheSameAnswerAndNoJobIsLost() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      log.append(
          job(i * 40, i % 3 == 0 ? "bob" : "ann", 100 + i * 37 % 900, "-n " + (1 + i * 5 % 8)));
    }
    site.log(log.toString());
    String[] changes = {"--drain", "n1", "--or", "--submit", "-n 2", "--or", "--order", "saf"};
    String first = site.printed(json(changes));
    assertEquals(first, site.printed(json(changes)));
    WhatIfComparison answer = site.answer(changes);
    for (ScenarioResult outcome : answer.outcomes()) {
      assertEquals(
          answer.base().fates().stream().map(fate -> fate.who().name()).toList(),
          outcome.fates().stream().map(fate -> fate.who().name()).toList());
      assertEquals(60, outcome.fates().size());
    }
    assertFalse(first.contains("NaN"), first);
  }

  private static List<String> json(String... changes) {
    List<String> words = new java.util.ArrayList<>(ofLog(changes));
    words.add("--json");
    return words;
  }

  @Test
  void runTimesCanBeLimits() throws Exception {
    site.log(job(0, "ann", 100, "-n 8 -t 10"), job(1, "bob", 100, "-n 8 -t 10"));
    List<String> words = List.of("--for", "3h", "--run-times", "limit", "--drain", "n2");
    WhatIfComparison answer = site.answerTo(words);
    assertEquals("0 600", starts(answer.base()));
  }
}

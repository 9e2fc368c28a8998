package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.why.WaitReasonWord;
import io.dure.cli.why.WhyCommand;
import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.insight.explain.ExplanationQuery;
import io.dure.insight.explain.JobExplainer;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.JobSelector;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.report.JobSituation;
import io.dure.model.report.WaitCause;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of a job that waits, in each of the situations. */
@Tag("pure")
class WhyScreensTest {
  private final FakeContext world = new FakeContext();

  static Stream<String> situations() {
    return Stream.concat(Situation.NAMES.stream(), Stream.of("no-limits"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void theScreenIsAsKept(String name) throws IOException {
    Situation situation = Situation.of(name);
    situation.keep("why", language -> screen(situation.site(), situation.asked(), language));
  }

  private String screen(Site site, String word, String language, String... options) {
    JobReference named = JobReference.parse(word);
    Job job = JobExplainer.jobNamed(site.state(), named.selector());
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    ExplanationQuery question =
        new ExplanationQuery(
            site.state(),
            job,
            site.now(),
            site.verdict(job.id()),
            owner,
            ExplanationQuery.USUAL_EFFORT,
            CommandDecider::decide);
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Explained(JobExplainer.explain(question)));
    world.controller = controller;
    world.environment.put("LANG", language);
    world.out.reset();
    String[] words =
        Stream.concat(Stream.of("dure-why", word), Stream.of(options)).toArray(String[]::new);
    assertEquals(0, new WhyCommand().run(world.call(words)), world::errors);
    return world.out.toString(StandardCharsets.UTF_8);
  }

  private static Site oneNode() {
    return new Site(List.of("NodeName=n1 CPUs=4 RealMemory=4000"), List.of(), List.of());
  }

  private String refused(String... words) {
    assertEquals(1, new WhyCommand().run(world.call(words)));
    return world.err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aJobThatRunsSaysSinceWhenAndWhere() {
    Site site = oneNode();
    site.submit("alice", "-c1 --mem=1G -t 60");
    String shown = screen(site, "1", "C");
    assertTrue(
        shown.contains("Runs         since 2026-11-20 16:01 (just now), on n1, with 1 CPUs"),
        shown);
    assertTrue(shown.contains("2026-11-20 17:01 (in 1 h) at the latest"), shown);
  }

  @Test
  void aJobThatIsOverSaysSo() {
    Site site = oneNode();
    site.submit("alice", "-c1 --mem=1G -t 60");
    site.pass(60);
    site.end(1);
    String shown = screen(site, "1", "C");
    assertTrue(shown.contains("Over         completed 2026-11-20 16:02 (just now)"), shown);
  }

  @Test
  void oneTaskOfAnArrayIsTheRecordItStandsIn() {
    Site site = oneNode();
    site.submit("alice", "-a 1-9 -c4 --mem=1G -t 60");
    assertTrue(screen(site, "1_5", "C").startsWith("Job 1_[2-9] ("));
    assertTrue(screen(site, "1_1", "C").startsWith("Job 1_1 ("));
    assertTrue(screen(site, "1", "C").startsWith("Job 1_[2-9] ("));
  }

  @Test
  void namesAreShownOnOneLineWhateverTheyAre() {
    Site site = oneNode();
    site.submit("alice", "-J \u001b[31m" + "아주긴이름".repeat(20) + "\u202e -c1 --mem=1G -t 60 --hold");
    String shown = screen(site, "1", "C");
    assertTrue(shown.startsWith("Job 1 (?[31m아주긴이름"), shown);
    assertTrue(shown.lines().findFirst().orElse("").contains("...) of alice"), shown);
    assertEquals(-1, shown.indexOf('\u001b'), shown);
    assertEquals(-1, shown.indexOf('\u202e'), shown);
  }

  @Test
  void aClusterWithoutHistoryKnowsTheLimitAlone() throws IOException {
    Site site =
        new Site(
            List.of("NodeName=n1 CPUs=4 RealMemory=4000", "SchedulerParameters=policy=dure"),
            List.of(),
            List.of());
    site.submit("alice", "-c4 --mem=1G -t 60");
    site.submit("bob", "-c4 --mem=1G -t 30");
    String shown = screen(site, "2", "C");
    assertTrue(shown.contains("expected to run 30 min, its limit"), shown);
  }

  @Test
  void whoWaitsForTheHolderGoesOnWhenItIsTakenAway() {
    Site site = oneNode();
    site.submit("alice", "-c4 --mem=1G -t 60");
    site.submit("bob", "-d afterok:1 -c4 --mem=1G -t 30");
    site.submit("carol", "-c4 --mem=1G -t 60");
    // Without job 1 it is the turn of job 2: job 3 does not start at once.
    String shown = screen(site, "3", "C");
    assertTrue(
        shown.contains("    1    alice      1     4     2026-11-20 17:01  2026-11-20 16:31 (in 30"),
        shown);
  }

  @Test
  void eachOfThoseNamedTogetherIsNeeded() {
    Site site = new Site(List.of("NodeName=n1 CPUs=64 RealMemory=64000"), List.of(), List.of());
    for (int i = 0; i < 30; i++) {
      site.submit("bob", "-c2 --mem=1G -t 2:00:00");
    }
    site.submit("carol", "-c10 --mem=1G -t 60");
    String shown = screen(site, "31", "C");
    assertTrue(shown.contains("Without these running jobs together it would start now"), shown);
    // Ten CPUs: four are free, three jobs of two CPUs give the rest.
    assertEquals(3, shown.lines().filter(line -> line.contains("  bob  ")).count(), shown);
  }

  @Test
  void whatIsThereIsSaidOfTasksThatAreNot() {
    Site site = oneNode();
    site.submit("alice", "-a 1-9,15 -c4 --mem=1G -t 60");
    site.submit("alice", "-c4 --mem=1G -t 60");
    assertEquals("job 1 has the tasks 1-9,15", known(site, "1_900"));
    assertEquals("job 1 has the tasks 1-9,15", known(site, "1_0"));
    assertEquals("job 1 has the tasks 1-9,15", known(site, "1+1"));
    assertTrue(known(site, "12_3").isEmpty());
    int plain = site.state().pending().keys().getLast();
    assertEquals("job " + plain + " is no array and has no components", known(site, plain + "_2"));
  }

  private static String known(Site site, String word) {
    JobSelector selector = JobReference.parse(word).selector();
    assertNull(JobExplainer.jobNamed(site.state(), selector));
    return JobExplainer.known(selector, site.state().records(selector.jobId()));
  }

  @Test
  void aLimitThatJobsLikeItOutranIsWarnedOf() {
    Site site = oneNode();
    site.submit("alice", "-J fold -c4 --mem=1G -t 4:00:00");
    site.pass(2 * 3600);
    site.end(1);
    site.scontrol(
        "create reservation ReservationName=work Users=root StartTime=now+3hours Duration=600"
            + " Nodes=ALL Flags=maint,ignore_jobs");
    site.pass(1);
    site.submit("alice", "-J fold -c4 --mem=1G -t 4:00:00");
    String shown = screen(site, "2", "C");
    assertTrue(shown.contains("caution: 1 of the last 1 jobs like it ran longer"), shown);
    site.submit("alice", "-J other -c1 --mem=1G -t 3:00:00");
    String other = screen(site, "3", "C");
    assertTrue(other.contains("caution: it is expected to run"), other);
    site.submit("bob", "-J first -c1 --mem=1G -t 2-00:00:00");
    String first = screen(site, "4", "C");
    assertTrue(first.contains("caution: "), first);
  }

  @Test
  void whatAJobStandsByIsSaidInWords() {
    Site site =
        new Site(
            List.of(
                "NodeName=n1 CPUs=4 RealMemory=4000",
                "SchedulerParameters=policy=dure",
                "AccountingStorageEnforce=associations,limits,qos"),
            List.of(),
            List.of());
    for (String line :
        List.of(
            "add qos urgent set Priority=10",
            "add account physics",
            "add user alice account=physics qos=normal,urgent")) {
      assertEquals("", site.sacctmgr(line));
    }
    site.submit("alice", "-c4 --mem=1G -t 60-0");
    site.submit("alice", "-c4 --mem=1G -t 60 --qos=urgent --nice=100");
    String fresh = screen(site, "2", "C");
    assertTrue(
        fresh.contains(
            "after 3 d 20 h of waiting a start is reserved for it that no job behind it delays"),
        fresh);
    assertTrue(fresh.contains("its QOS counts as 1 band more"), fresh);
    assertTrue(fresh.contains("its owner put it back (--nice)"), fresh);
    site.pass(10 * 86_400);
    String overdue = screen(site, "2", "C");
    assertTrue(
        overdue.contains("it has waited for more than 3 d 20 h: a start is reserved"), overdue);
    site.scontrol("update JobId=2 Priority=4000");
    site.schedule();
    String fixed = screen(site, "2", "C");
    assertTrue(fixed.contains("an operator fixed its priority at 4000"), fixed);
    assertTrue(screen(site, "2", "ko").contains("우선순위를 4000으로 정해"));
    assertFalse(overdue.contains("the cluster is overloaded"), overdue);
    site.submit("alice", "-c4 --mem=1G -t 30-0");
    String overloaded = screen(site, "3", "C");
    assertTrue(overloaded.contains("the cluster is overloaded: more work"), overloaded);
  }

  @Test
  void wholeNodesAreAskedForAsThat() {
    Site site = oneNode();
    site.submit("bob", "-c1 --mem=1G -t 60");
    site.submit("alice", "--exclusive --mem=1G -t 60");
    site.submit("alice", "--exclusive -n3 --mem=1G -t 60");
    String shown = screen(site, "2", "C");
    assertTrue(shown.contains("Asks for     1 whole node, 1 GiB of memory; for 1 h"), shown);
    String three = screen(site, "3", "C");
    assertTrue(three.contains("Asks for     1 whole node, 3 CPUs at least,"), three);
    assertTrue(screen(site, "2", "ko").contains("요청         노드 1개 전체, 메모리 1 GiB"));
  }

  @Test
  void whoAsksForWhatIsNotThereIsToldWhatIs() {
    Site site =
        new Site(
            List.of(
                "EnforcePartLimits=NO",
                "NodeName=g[1-2] CPUs=4 RealMemory=4000 Gres=gpu:t4:2 Feature=old,blue",
                "NodeName=h1 CPUs=4 RealMemory=4000 Gres=gpu:a100:2 Feature=new",
                "PartitionName=debug Nodes=g[1-2] Default=YES MaxTime=INFINITE",
                "PartitionName=all Nodes=ALL MaxTime=INFINITE"),
            List.of(),
            List.of());
    site.submit("bob", "-p all -w h1 --exclusive -t 600");
    site.submit("alice", "-p all --gres=gpu:a100:1 --mem=1G -t 60");
    site.submit("alice", "-p all -C new --mem=1G -t 60");
    PartitionConfig fewer = site.state().partition("all").without("h1");
    ClusterState state = EventApplier.apply(site.state(), new Event.PartitionDefined(fewer));
    assertEquals(List.of("gpu:t4"), there(state, site, 2));
    assertEquals(List.of("blue", "old"), there(state, site, 3));
  }

  private static List<String> there(ClusterState state, Site site, int id) {
    Job job = state.job(id);
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    ExplanationQuery question =
        new ExplanationQuery(state, job, site.now(), null, owner, 0, CommandDecider::decide);
    JobSituation.Waits waits =
        assertInstanceOf(JobSituation.Waits.class, JobExplainer.explain(question).story());
    return assertInstanceOf(WaitCause.TooMuch.class, waits.causes().getFirst()).there();
  }

  @Test
  void oneJobIsToBeNamed() {
    assertTrue(refused("dure-why").contains("one job is to be named"));
    assertTrue(refused("dure-why", "1", "2").contains("one job is to be named"));
    for (String word : List.of("x", "0", "-1_", "1.batch", "12+", "99999999999")) {
      world.err.reset();
      assertTrue(refused("dure-why", "--", word).contains("Invalid job id specified"), word);
    }
  }

  @Test
  void anUnknownJobIsRefusedInSlurmsWords() {
    ScriptedController controller = new ScriptedController();
    world.controller = controller.answer(new Response.Failed(ErrorCode.INVALID_JOB_ID, ""));
    assertTrue(refused("dure-why", "77").contains("Invalid job id specified"));
  }

  @Test
  void aRecordSaysItInOneWord() throws IOException {
    Situation situation = Situation.of("account-limit");
    Site site = situation.site();
    Job job = site.state().job(3);
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    ExplanationQuery facts =
        new ExplanationQuery(site.state(), job, site.now(), null, owner, 0, CommandDecider::decide);
    assertEquals(
        "a_limit:_account_physics_may_hold_4_GPUs;_4_GPUs_are_held,_it_wants_2_GPUs_(GrpTRES)",
        WaitReasonWord.of(JobExplainer.explain(facts), ZoneOffset.UTC));
  }

  @Test
  void bothLanguagesHaveTheSamePhrases() {
    LocalizedPhrases english = LocalizedPhrases.of(WhyCommand.class, Map.of());
    LocalizedPhrases korean = LocalizedPhrases.of(WhyCommand.class, Map.of("LANG", "ko_KR.UTF-8"));
    assertEquals(english.names(), korean.names());
    TreeSet<String> different = new TreeSet<>();
    for (String name : english.names()) {
      for (String put : List.of("{0}", "{1}", "{2}", "{3}", "{4}", "{5}")) {
        if (english.text(name).contains(put) != korean.text(name).contains(put)) {
          different.add(name + " " + put);
        }
      }
    }
    assertEquals(new TreeSet<>(), different);
  }
}

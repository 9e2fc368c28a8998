package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.why.WhyCommand;
import io.dure.cluster.decide.CommandDecider;
import io.dure.insight.explain.ExplanationQuery;
import io.dure.insight.explain.JobExplainer;
import io.dure.insight.explain.PrivateDataFilter;
import io.dure.insight.holdings.HoldingsVisibility;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.job.Job;
import io.dure.model.report.JobExplanation;
import io.dure.protocol.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is said of a waiting job to somebody who may not see everything (PrivateData). */
@Tag("pure")
class WhyPrivacyTest {
  /** A cluster of two accounts in which bob's jobs hold what others wait for. */
  private static Site site(String hidden) {
    Site site =
        new Site(
            List.of(
                "AccountingStorageEnforce=associations,limits,qos",
                "PrivateData=" + hidden,
                "Licenses=matlab:2",
                "SchedulerParameters=policy=dure",
                "NodeName=n[1-2] CPUs=16 RealMemory=64000"),
            List.of(),
            List.of());
    for (String line :
        List.of(
            "add account physics,bio",
            "add user alice account=physics",
            "add user dave account=physics",
            "add user bob account=bio")) {
      assertEquals("", site.sacctmgr(line));
    }
    site.submit("alice", "-J mine -c1 --mem=1G -t 10");
    site.submit("bob", "-J secret -N2 --exclusive -L matlab:2 -t 4:00:00");
    site.end(1);
    site.pass(60);
    site.submit("alice", "-J next -c4 --mem=1G -t 1:00:00");
    return site;
  }

  private static String shown(Site site, int id, String who, boolean operator, String language) {
    Job job = site.state().job(id);
    ExplanationQuery question =
        new ExplanationQuery(
            site.state(),
            job,
            site.now(),
            site.verdict(id),
            new Caller.User(job.owner(), List.of(), false),
            ExplanationQuery.USUAL_EFFORT,
            CommandDecider::decide);
    int uid = who.equals("root") ? 0 : 1001;
    Caller.User asker = new Caller.User(new UserIdentity(uid, uid, who, who), List.of(), operator);
    JobExplanation told =
        PrivateDataFilter.of(
            JobExplainer.explain(question),
            site.state(),
            new HoldingsVisibility(site.state(), asker));
    FakeContext world = new FakeContext();
    world.environment.put("LANG", language);
    world.controller = new ScriptedController().answer(new Response.Explained(told));
    assertEquals(
        0, new WhyCommand().run(world.call("dure-why", Integer.toString(id))), world::errors);
    return world.out.toString(StandardCharsets.UTF_8);
  }

  private static String shown(Site site, int id) {
    return shown(site, id, "alice", false, "C");
  }

  @Test
  void nothingIsHiddenWhereNothingIsPrivate() {
    String shown = shown(site("none"), 3);
    assertTrue(shown.contains("2     bob      2    32"), shown);
    assertTrue(shown.contains("0 of 32 CPUs in partition debug are free"), shown);
  }

  @Test
  void jobsOfOthersHaveNoNumberAndNoOwner() {
    String shown = shown(site("jobs"), 3);
    assertTrue(shown.contains("another's"), shown);
    assertFalse(shown.contains("bob"), shown);
  }

  @Test
  void anOperatorSeesThemAll() {
    String shown = shown(site("jobs,users,nodes,usage"), 3, "root", true, "C");
    assertTrue(shown.contains("2     bob      2    32"), shown);
    assertTrue(shown.contains("0 of 32 CPUs in partition debug are free"), shown);
  }

  @Test
  void usersHaveNoNames() {
    Site site = site("users");
    String shown = shown(site, 3);
    assertTrue(shown.contains("    2       -      2    32"), shown);
    assertFalse(shown.contains("bob"), shown);
    String others = shown(site, 3, "erin", false, "C");
    assertTrue(others.startsWith("Job 3 (next) of another user, cluster test"), others);
    assertTrue(shown(site, 3, "erin", false, "ko").startsWith("다른 사용자의 작업 3 (next)"));
  }

  @Test
  void norHaveTheyWhoseLimitIsReached() {
    Site site = site("users");
    assertEquals("", site.sacctmgr("modify user alice set GrpTRES=cpu=2"));
    site.end(2);
    site.pass(1);
    String own = shown(site, 3);
    assertTrue(own.contains("user alice of account physics may hold 2 CPUs"), own);
    String others = shown(site, 3, "erin", false, "C");
    assertTrue(others.contains("another user of account physics may hold 2 CPUs"), others);
    assertFalse(others.contains("alice"), others);
    assertFalse(shown(site, 3, "erin", false, "ko").contains("alice"));
  }

  @Test
  void nodesAreNotToldOf() {
    String shown = shown(site("nodes"), 3);
    assertTrue(shown.contains("too little is free in partition debug"), shown);
    assertFalse(shown.contains("32 CPUs"), shown);
    assertFalse(shown.contains("n1"), shown);
    assertFalse(shown.contains("n2"), shown);
    Site site = site("nodes");
    site.end(2);
    site.drain("n1", "fan broken");
    site.drain("n2", "fan broken");
    site.pass(1);
    site.submit("alice", "-J last -c4 --mem=1G -t 1:00:00");
    String closed = shown(site, 4);
    assertTrue(closed.contains("nodes that it could run on take no jobs now"), closed);
    assertFalse(closed.contains("fan broken"), closed);
  }

  @Test
  void reservationsAreNotNamed() {
    Site site = site("reservations");
    site.end(2);
    site.scontrol(
        "create reservation ReservationName=paper Users=bob StartTime=now Duration=2:00:00"
            + " Nodes=ALL");
    site.pass(1);
    site.submit("alice", "-J last -c4 --mem=1G -t 1:00:00");
    int last = site.state().pending().keys().getLast();
    String shown = shown(site, last);
    assertFalse(shown.contains("paper"), shown);
    assertTrue(shown.contains("kept for others"), shown);
    String seen = shown(site, last, "root", true, "C");
    assertTrue(seen.contains("paper"), seen);
  }

  @Test
  void whatAnotherAccountUsedIsItsOwnAffair() {
    Site site = site("usage");
    site.submit("bob", "-J more -c4 --mem=1G -t 1:00:00");
    int bobs = site.state().pending().keys().getLast();
    String own = shown(site, 3);
    assertTrue(own.contains("its account has used"), own);
    String others = shown(site, bobs);
    assertFalse(others.contains("its account has used"), others);
  }

  @Test
  void theNumbersOfALimitThatOthersUseUpAreHidden() {
    Site site = site("usage");
    assertEquals("", site.sacctmgr("modify account physics set GrpTRES=cpu=2"));
    site.end(2);
    site.submit("dave", "-J half -c2 --mem=1G -t 1:00:00");
    site.pass(1);
    String shown = shown(site, 3);
    assertTrue(shown.contains("a limit of account physics is reached (GrpTRES)"), shown);
    assertFalse(shown.contains("2 CPUs are held"), shown);
  }
}

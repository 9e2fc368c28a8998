package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cluster.ClusterState;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.insight.explain.ExplanationQuery;
import io.dure.insight.explain.JobExplainer;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.report.JobSituation;
import io.dure.model.report.StartRemedy;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people are told to type is what was tried. */
@Tag("pure")
class RemedyCommandsTest {
  private static final List<String> CONF =
      List.of(
          "AccountingStorageEnforce=associations,limits,qos",
          "Licenses=matlab:1",
          "EnforcePartLimits=NO",
          "NodeName=n[1-4] CPUs=16 RealMemory=64000 Feature=new Gres=gpu:a100:4",
          "NodeName=o[1-4] CPUs=16 RealMemory=64000 Feature=old Gres=gpu:t4:4",
          "PartitionName=debug Nodes=n[1-4] Default=YES MaxTime=7-0",
          "PartitionName=all Nodes=ALL MaxTime=7-0",
          "PartitionName=spare Nodes=o[1-4] MaxTime=7-0");

  /** What bob holds first, what waits, and what is done with it. */
  private record Case(String held, String asked) {}

  private static final List<Case> CASES =
      List.of(
          new Case("", "-c1 --mem=1G -t 60 --hold"),
          new Case("", "-c1 --mem=1G -t 60 --begin=now+5hours"),
          new Case("-c1 --mem=1G -t 60", "-c1 --mem=1G -t 60 -d afterany:1"),
          new Case("", "-a 1-9%2 -c1 --mem=1G -t 60"),
          new Case("-N4 --exclusive --mem=1G -t 600", "-c2 --mem=1G -t 60"),
          new Case("-w n1 -c16 --mem=1G -t 600", "-w n1 -c2 --mem=1G -t 60"),
          new Case("-x n1 -N3 --exclusive --mem=1G -t 600", "-x n1 -c2 --mem=1G -t 60"),
          new Case("-w n[2,4] -N2 --exclusive -t 600", "-N2 --contiguous -c2 --mem=1G -t 60"),
          new Case("-N4 -n4 -c2 --mem=1G -t 600", "--exclusive -c2 --mem=1G -t 60"),
          new Case("-N4 -n4 -c8 --mem=50G -t 600", "-c2 --mem=40G -t 60"),
          new Case("-N4 -n4 -c8 --mem=50G -t 600", "-n2 -N1 --mem-per-cpu=20G -t 60"),
          new Case("-N4 -n4 -c12 --mem=1G -t 600", "-c8 --mem=1G -t 60"),
          new Case("-N4 -n4 -c12 --mem=1G -t 600", "-N1 -n8 --mem=1G -t 60"),
          new Case("-N2 --exclusive -t 600", "-N4 -n8 --mem=1G -t 60"),
          new Case("-N4 --gres=gpu:a100:3 -n4 --mem=1G -t 600", "--gres=gpu:a100:2 --mem=1G -t 60"),
          new Case("-N4 --gres=gpu:a100:3 -n4 --mem=1G -t 600", "--gpus=8 --mem=1G -t 60"),
          new Case(
              "-p all -C old -N4 --gres=gpu:t4:4 -n4 --mem=1G -t 600",
              "-p all --gres=gpu:t4:2 --mem=1G -t 60"),
          new Case("-p all -C old -N4 --exclusive -t 600", "-p all -C old -c2 --mem=1G -t 60"),
          new Case("-c1 --mem=1G -L matlab:1 -t 600", "-c1 --mem=1G -L matlab:1 -t 60"));

  private static Site site() {
    Site site = new Site(CONF, List.of(), List.of());
    for (String line :
        List.of(
            "add qos urgent",
            "add account physics",
            "add user alice account=physics qos=normal,urgent",
            "add user bob account=physics")) {
      assertEquals("", site.sacctmgr(line));
    }
    return site;
  }

  private static List<StartRemedy> remedies(Site site, Job job) {
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    String verdict = site.verdict(job.id());
    ExplanationQuery question =
        new ExplanationQuery(
            site.state(),
            job,
            site.now(),
            verdict,
            owner,
            ExplanationQuery.USUAL_EFFORT,
            CommandDecider::decide);
    return assertInstanceOf(JobSituation.Waits.class, JobExplainer.explain(question).story())
        .remedies();
  }

  private final EnumSet<StartRemedy.Kind> seen = EnumSet.noneOf(StartRemedy.Kind.class);

  @Test
  void theCommandThatIsPrintedIsTheChangeThatWasTried() throws IOException {
    for (Case one : CASES) {
      Site site = site();
      if (!one.held().isEmpty()) {
        site.submit("bob", one.held());
      }
      List<String> lines = site.submit("alice", one.asked());
      Job job = site.state().pending().values().getLast();
      assertFalse(lines.getFirst().startsWith("refused"), one + " " + lines);
      look(site, job, one.asked());
    }
    Site site = withMaintenance();
    site.submit("alice", "-c1 --mem=1G -t 10:00:00");
    look(site, site.state().pending().values().getLast(), "-c1 --mem=1G -t 10:00:00");
    site = withMaintenance();
    site.scontrol(
        "create reservation ReservationName=own Users=alice StartTime=now+3hours"
            + " Duration=60 Nodes=o1");
    site.submit("alice", "-p all --reservation=own -c1 --mem=1G -t 30");
    look(site, site.state().pending().values().getLast(), "");
    site = site();
    assertEquals("", site.sacctmgr("modify qos normal set MaxTRESPerUser=cpu=4"));
    site.submit("alice", "-c4 --mem=1G -t 600");
    site.submit("alice", "-c4 --mem=1G -t 60");
    look(site, site.state().pending().values().getLast(), "-c4 --mem=1G -t 60");
    assertEquals(
        EnumSet.noneOf(StartRemedy.Kind.class), EnumSet.complementOf(seen), "not looked at");
  }

  private static Site withMaintenance() {
    Site site = site();
    site.scontrol(
        "create reservation ReservationName=work Users=root StartTime=now+2hours Duration=600"
            + " Nodes=n[1-4] Flags=maint,ignore_jobs");
    return site;
  }

  private void look(Site site, Job job, String asked) {
    for (StartRemedy remedy : remedies(site, job)) {
      seen.add(remedy.kind());
      assertEquals(
          untimed(remedy.change().toString()), untimed(typed(remedy.update())), remedy.update());
      if (!asked.isEmpty() && remedy.option().startsWith("--")) {
        submitted(site, job, remedy, asked);
      }
    }
  }

  /** When "now" is may differ by what it takes to type it. */
  private static String untimed(String command) {
    return command.replaceAll("beginTime=[^,]*Z", "beginTime=now");
  }

  /** What scontrol makes of what is typed. */
  private static String typed(String update) {
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Decided(new Reply.Done()));
    world.controller = controller;
    String[] words = ("scontrol " + update).split(" ", -1);
    assertEquals(0, new Scontrol().run(world.call(words)), world::errors);
    Command command =
        assertInstanceOf(Request.Change.class, controller.requests.getFirst()).command();
    return String.valueOf(command instanceof Command.Named named ? named.change() : command);
  }

  /** Submitted with that option it asks for the same as changed. */
  private static void submitted(Site site, Job job, StartRemedy remedy, String asked) {
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    var decision = CommandDecider.decide(site.state(), remedy.change(), owner, site.now());
    ClusterState changed = EventApplier.applyAll(site.state(), decision.events());
    JobSpec updated = changed.job(job.id()).spec();
    List<Integer> before = new ArrayList<>(site.state().pending().keys());
    before.addAll(site.state().active().keys());
    site.submit("alice", asked + " " + remedy.option());
    for (Job one : all(site)) {
      if (!before.contains(one.id())) {
        assertEquals(
            essential(updated.resources()), essential(one.spec().resources()), remedy.option());
        assertEquals(updated.timeLimit(), one.spec().timeLimit(), remedy.option());
        assertEquals(updated.partitions(), one.spec().partitions(), remedy.option());
        assertEquals(updated.qos(), one.spec().qos(), remedy.option());
      }
    }
    site.scontrol("release " + job.id());
  }

  /** On how many nodes it may be at most follows from how many GPUs there are to spread. */
  private static String essential(ResourceRequest asked) {
    return asked.toString().replaceAll("maxNodes=[0-9]+", "");
  }

  private static List<Job> all(Site site) {
    List<Job> all = new ArrayList<>(site.state().pending().values());
    all.addAll(site.state().active().values());
    return all;
  }
}

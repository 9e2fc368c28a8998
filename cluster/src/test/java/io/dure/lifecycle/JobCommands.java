package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;

import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Placement;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.TimeLimit;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.JobBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Everything that can be said to a controller about one job. */
final class JobCommands {
  /**
   * One of them.
   *
   * @param name in words
   * @param after how long after the scene
   */
  record Try(String name, Caller caller, Command command, Duration after) {}

  private static final Caller SELF = new Caller.Self();
  private static final StepEnd WELL = new StepEnd.Ran(ExitStatus.OK, false);

  private final List<Try> tries = new ArrayList<>();
  private final int id;
  private final int run;
  private final String node;
  private final NodeFacts facts;
  private final Job job;
  private final Instant now;

  private JobCommands(Scene scene) {
    job = scene.record();
    id = job.id();
    run = job.run();
    now = scene.cluster().now();
    node =
        switch (job.state()) {
          case JobState.Running r -> r.allocation().batchHost();
          case JobState.Suspended s -> s.run().allocation().batchHost();
          case JobState.Completing c -> c.allocation().batchHost();
          case JobState.Pending _, JobState.Ended _ -> "n1";
        };
    facts = Samples.facts(scene.cluster().node(node));
  }

  static List<Try> of(Scene scene) {
    JobCommands commands = new JobCommands(scene);
    commands.ofUsers();
    commands.ofUpdates();
    commands.ofSteps();
    commands.ofNodes();
    commands.ofSelf();
    return commands.tries;
  }

  private void by(Caller caller, String name, Command command) {
    tries.add(new Try(name, caller, command, Duration.ZERO));
  }

  private void later(String name, Duration after, Command command) {
    tries.add(new Try(name, SELF, command, after));
  }

  private void ofUsers() {
    by(ALICE, "cancel", Ask.cancel(id));
    by(BOB, "cancel by another user", Ask.cancel(id));
    by(ROOT, "cancel by root", Ask.cancel(id));
    by(ALICE, "cancel a task", Ask.cancel(Ask.tasks(job.baseId(), "2")));
    by(ALICE, "signal", Ask.signal(id, 10));
    by(ALICE, "notify", Ask.notice(id));
    by(ALICE, "hold", Ask.hold(id));
    by(ROOT, "hold by root", Ask.hold(id));
    by(ROOT, "uhold by root", Ask.uhold(id));
    by(ALICE, "release", Ask.release(id));
    by(ROOT, "release by root", Ask.release(id));
    by(ALICE, "requeue", Ask.requeue(id));
    by(ALICE, "requeuehold", Ask.requeueHold(id));
    by(ALICE, "requeuehold special", Ask.specialExit(id));
    by(ALICE, "requeue incomplete", new Command.RequeueJob(Ask.all(id), false, false, true));
    by(ALICE, "suspend", new Command.SuspendJob(Ask.all(id)));
    by(ROOT, "suspend by root", new Command.SuspendJob(Ask.all(id)));
    by(ALICE, "resume", new Command.ResumeJob(Ask.all(id)));
    by(ROOT, "resume by root", new Command.ResumeJob(Ask.all(id)));
    by(ALICE, "top", Ask.top(id));
    by(ROOT, "top by root", Ask.top(id));
    by(ALICE, "step", new Command.CreateStep(id, StepSpec.of("true", 1)));
    by(BOB, "step by another user", new Command.CreateStep(id, StepSpec.of("true", 1)));
    by(ALICE, "step too large", new Command.CreateStep(id, StepSpec.of("true", 9000)));
    by(ALICE, "cancel the step", new Command.KillStep(id, 0, null));
    by(ALICE, "signal the step", new Command.KillStep(id, 0, 10));
    by(ALICE, "limit of the step", new Command.UpdateStep(id, 0, 5, false));
    by(ALICE, "complete", new Command.CompleteAllocation(id, ExitStatus.OK));
  }

  private void ofUpdates() {
    by(ALICE, "update comment", Ask.update(id, new Ask.Change().comment("so")));
    by(ALICE, "update less time", Ask.timeLimit(id, 5));
    by(ALICE, "update more time", Ask.timeLimit(id, 20));
    by(ROOT, "update more time by root", Ask.timeLimit(id, 20));
    by(
        ROOT,
        "update no limit by root",
        Ask.update(id, new Ask.Change().time(new TimeLimit.Unlimited())));
    by(ALICE, "update priority 0", Ask.update(id, new Ask.Change().priority(0)));
    by(ROOT, "update priority by root", Ask.update(id, new Ask.Change().priority(7)));
    by(ALICE, "update begin", Ask.update(id, new Ask.Change().begin(now.plusSeconds(60))));
    by(ALICE, "update tasks", Ask.update(id, new Ask.Change().tasks(2)));
    by(ALICE, "update too many tasks", Ask.update(id, new Ask.Change().tasks(200)));
    by(ALICE, "update output", Ask.update(id, new Ask.Change().output("/tmp/else")));
    by(ALICE, "update directory", Ask.update(id, new Ask.Change().workDirectory("/tmp")));
    by(ALICE, "update directory, relative", Ask.update(id, new Ask.Change().workDirectory("x")));
    by(ALICE, "update CPUs", Ask.update(id, new Ask.Change().cpus(2)));
    by(ALICE, "update mail", Ask.update(id, new Ask.Change().mail("END", "bob")));
    by(ALICE, "update end", Ask.update(id, new Ask.Change().end(now.plusSeconds(90))));
    by(ALICE, "update end to later", Ask.update(id, new Ask.Change().end(now.plusSeconds(9000))));
    by(
        ROOT,
        "update end to later by root",
        Ask.update(id, new Ask.Change().end(now.plusSeconds(9000))));
    by(ALICE, "update deadline", Ask.update(id, new Ask.Change().deadline(now.plusSeconds(900))));
    by(
        ALICE,
        "update deadline to the past",
        Ask.update(id, new Ask.Change().deadline(now.minusSeconds(9))));
    by(ALICE, "update throttle", Ask.update(id, new Ask.Change().throttle(1)));
    by(
        ALICE,
        "update dependency",
        Ask.update(id, new Ask.Change().dependency(JobBuilder.dependencies("singleton"))));
    by(
        ALICE,
        "update dependency on itself",
        Ask.update(id, new Ask.Change().dependency(JobBuilder.dependencies("afterany:" + id))));
  }

  private void ofSteps() {
    Caller daemon = new Caller.NodeDaemon(node);
    by(daemon, "launched", new Command.StepLaunched(id, run));
    by(daemon, "launched, earlier run", new Command.StepLaunched(id, run - 1));
    by(
        new Caller.NodeDaemon(node.equals("n1") ? "n2" : "n1"),
        "launched on another node",
        new Command.StepLaunched(id, run));
    by(daemon, "step ended", new Command.StepPartEnded(id, run, 0, WELL));
    by(daemon, "step ended, earlier run", new Command.StepPartEnded(id, run - 1, 0, WELL));
    by(
        daemon,
        "step ended on nodes below",
        new Command.StepPartsEnded(id, run, 0, 9, List.of(new StepPartEnds("n[1-2]", WELL)), null));
    by(
        daemon,
        "step ended on nodes below, bad list",
        new Command.StepPartsEnded(id, run, 0, 9, List.of(new StepPartEnds("n[2-1]", WELL)), null));
    by(
        daemon,
        "step failed for the node",
        new Command.StepPartEnded(id, run, 0, new StepEnd.NodeFault("no room")));
    ended(daemon, "exit 0", WELL);
    ended(daemon, "exit 3", new StepEnd.Ran(new ExitStatus(3, 0), false));
    ended(daemon, "exit 7, RequeueExit", new StepEnd.Ran(new ExitStatus(7, 0), false));
    ended(daemon, "exit 8, RequeueExitHold", new StepEnd.Ran(new ExitStatus(8, 0), false));
    ended(daemon, "signal 11", new StepEnd.Ran(new ExitStatus(0, 11), false));
    ended(daemon, "out of memory", new StepEnd.Ran(new ExitStatus(0, 0), true));
    ended(daemon, "not started", new StepEnd.NotStarted("no such directory"));
    ended(daemon, "prolog failed", new StepEnd.PrologFailed("exit 1"));
    ended(daemon, "lost", new StepEnd.Lost(null));
    ended(daemon, "node fault", new StepEnd.NodeFault("no space"));
    by(daemon, "exit 0, clean", new Command.StepEnded(id, run, WELL, true));
    by(daemon, "exit 0, earlier run", new Command.StepEnded(id, run - 1, WELL, false));
    by(daemon, "exit 0, earlier run, clean", new Command.StepEnded(id, run - 1, WELL, true));
    by(daemon, "clean", new Command.NodeCleaned(id, run, null));
    by(daemon, "clean, epilog failed", new Command.NodeCleaned(id, run, "exit 1"));
    by(daemon, "clean, earlier run", new Command.NodeCleaned(id, run - 1, null));
    tries.add(
        new Try(
            "exit 0 beyond the limit",
            daemon,
            new Command.StepEnded(id, run, WELL, false),
            Duration.ofMinutes(11)));
  }

  private void ended(Caller daemon, String name, StepEnd end) {
    by(daemon, name, new Command.StepEnded(id, run, end, false));
  }

  private void ofNodes() {
    Caller daemon = new Caller.NodeDaemon(node);
    NodeFacts rebooted =
        new NodeFacts(
            facts.version(),
            facts.hostName(),
            facts.address(),
            facts.arch(),
            facts.os(),
            facts.cpus(),
            facts.sockets(),
            facts.coresPerSocket(),
            facts.threadsPerCore(),
            facts.memoryMib(),
            facts.tmpDiskMib(),
            facts.gres(),
            now,
            "another boot",
            now,
            facts.confinement(),
            List.of(),
            List.of(),
            List.of(),
            null);
    register(daemon, "node calls, runs it", facts, new RunReport(id, run, null, false, false));
    register(
        daemon,
        "node calls, runs it suspended",
        facts,
        new RunReport(id, run, null, false, false, true));
    register(daemon, "node calls, ran it", facts, new RunReport(id, run, WELL, false, false));
    register(daemon, "node calls, ran it, clean", facts, new RunReport(id, run, WELL, true, false));
    register(
        daemon,
        "node calls, runs an earlier run",
        facts,
        new RunReport(id, run - 1, null, false, false));
    register(daemon, "node calls, knows nothing", facts);
    register(daemon, "node calls after a boot, knows nothing", rebooted);
    by(SELF, "node gone", new Command.NodeDisconnected(node));
    by(ROOT, "node down", Ask.node(node, "state", "DOWN", "reason", "x"));
    by(ROOT, "node drain", Ask.node(node, "state", "DRAIN", "reason", "x"));
    by(daemon, "node unfit", new Command.NodeUnfit("health"));
  }

  private void register(Caller daemon, String name, NodeFacts machine, RunReport... runs) {
    by(daemon, name, new Command.RegisterNode(machine, List.of(runs), null));
  }

  private void ofSelf() {
    by(SELF, "prolog succeeded", new Command.PrologEnded(id, run, null));
    by(SELF, "prolog failed here", new Command.PrologEnded(id, run, "exit 1"));
    by(SELF, "prolog of an earlier run failed", new Command.PrologEnded(id, run - 1, "exit 1"));
    by(SELF, "epilog ended", new Command.EpilogEnded(id, run));
    later("tick", Duration.ZERO, new Command.Tick());
    later("tick after the limit", Duration.ofMinutes(11), new Command.Tick());
    later("tick after a day", Duration.ofDays(1), new Command.Tick());
    NodeShare share = new NodeShare("n1", List.of(0, 1), 2, 200, 1);
    Integer index = job.displayId().contains("[") ? 1 : null;
    Placement placement = new Placement(id, index, new Allocation("debug", List.of(share)));
    by(SELF, "start", new Command.StartJobs(List.of(placement)));
  }
}

package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster in which one job of alice is in a certain state.
 *
 * @param name the state, in words
 * @param jobId the job
 */
record Scene(String name, TestCluster cluster, int jobId) {

  /** The job's record. */
  Job record() {
    return cluster.job(jobId);
  }

  /** Every state that a job can be in, with each variant that the rules tell apart. */
  static List<Scene> all() {
    List<Scene> scenes = new ArrayList<>(pending());
    scenes.addAll(running());
    scenes.addAll(suspended());
    scenes.addAll(completing());
    scenes.addAll(ended());
    return scenes;
  }

  private static TestCluster twoNodes() {
    return usual().start();
  }

  /** With one of the controller's own programs. */
  private static TestCluster twoNodes(String program) {
    return usual().set(program, "/usr/local/sbin/program").start();
  }

  private static ClusterBuilder usual() {
    return ClusterBuilder.of(2)
        .set("RequeueExit", "7")
        .set("RequeueExitHold", "8")
        .set("SlurmdTimeout", "300");
  }

  private static JobBuilder ordinary() {
    return job().name("it").cpus(2).time(10).runs(400);
  }

  /** Both nodes are taken by another job until it is cancelled. */
  private static TestCluster busy() {
    TestCluster cluster = twoNodes();
    cluster.submit(ROOT, job().name("other").nodes(2).exclusive().runs(100_000));
    return cluster;
  }

  private static List<Scene> pending() {
    List<Scene> scenes = new ArrayList<>();
    TestCluster waits = busy();
    scenes.add(new Scene("pending", waits, waits.submit(ALICE, ordinary())));

    TestCluster held = twoNodes();
    scenes.add(
        new Scene("pending, held by its owner", held, held.submit(ALICE, ordinary().held())));

    TestCluster admin = busy();
    int adminHeld = admin.submit(ALICE, ordinary());
    admin.ask(ROOT, Ask.hold(adminHeld));
    scenes.add(new Scene("pending, held by an operator", admin, adminHeld));

    TestCluster depends = busy();
    int dependent = depends.submit(ALICE, ordinary().dependency("afterok:1"));
    scenes.add(new Scene("pending, waits for a job", depends, dependent));

    TestCluster hopeless = busy();
    int never = hopeless.submit(ALICE, ordinary().dependency("afterok:1"));
    hopeless.ask(ROOT, Ask.cancel(1));
    hopeless.seconds(10);
    scenes.add(new Scene("pending, dependency failed", hopeless, never));

    TestCluster later = twoNodes();
    int begins = later.submit(ALICE, ordinary().begin(later.now().plusSeconds(3600)));
    scenes.add(new Scene("pending, begin time ahead", later, begins));

    TestCluster again = twoNodes();
    int requeued = again.submit(ALICE, ordinary());
    again.ask(ALICE, Ask.requeue(requeued));
    again.seconds(10);
    scenes.add(new Scene("pending, requeued", again, requeued));

    TestCluster array = busy();
    int tasks = array.submit(ALICE, ordinary().array("1-4%2"));
    scenes.add(new Scene("pending, waiting array", array, tasks));

    TestCluster split = busy();
    int base = split.submit(ALICE, ordinary().array("1-4"));
    split.ask(ALICE, new Command.HoldJob(Ask.tasks(base, "2"), false));
    int task = split.task(base, 2).id();
    split.ask(ALICE, Ask.release(task));
    scenes.add(new Scene("pending, array task", split, task));
    return scenes;
  }

  private static List<Scene> running() {
    List<Scene> scenes = new ArrayList<>();
    TestCluster lost = twoNodes();
    lost.lose(e -> e instanceof Effect.Launch);
    scenes.add(new Scene("running, not launched", lost, lost.submit(ALICE, ordinary())));
    lost.lose(_ -> false);

    TestCluster prepared = twoNodes("PrologSlurmctld");
    scenes.add(new Scene("running, configuring", prepared, prepared.submit(ALICE, ordinary())));

    TestCluster runs = twoNodes();
    scenes.add(new Scene("running", runs, runs.submit(ALICE, ordinary())));

    TestCluster two = twoNodes();
    scenes.add(new Scene("running on two nodes", two, two.submit(ALICE, ordinary().nodes(2))));

    TestCluster shrunk = twoNodes();
    int smaller = shrunk.submit(ALICE, ordinary().nodes(2).survivesNodes());
    shrunk.ask(ROOT, Ask.node("n2", "state", "DOWN", "reason", "disk"));
    scenes.add(new Scene("running, goes on without a node", shrunk, smaller));

    TestCluster warned = twoNodes();
    int soon = warned.submit(ALICE, ordinary().runs(1000).signal(10, 500));
    warned.seconds(200);
    scenes.add(new Scene("running, warned", warned, soon));

    TestCluster steps = twoNodes();
    int launching = steps.submit(ALICE, ordinary());
    steps.ask(ALICE, new Command.CreateStep(launching, StepSpec.of("true", 1)));
    scenes.add(new Scene("running, with a step", steps, launching));

    TestCluster crowded =
        usual()
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", "REQUEUE")
            .partition("debug", "Nodes=ALL Default=YES PriorityTier=1 GraceTime=60")
            .partition("urgent", "Nodes=ALL PriorityTier=10")
            .start();
    int noticed = crowded.submit(ALICE, ordinary());
    crowded.submit(ROOT, job().name("other").partition("urgent").nodes(2).exclusive().runs(1000));
    scenes.add(new Scene("running, told to make room", crowded, noticed));

    TestCluster held = twoNodes();
    int heldJob = held.submit(ALICE, ordinary());
    held.ask(ALICE, Ask.hold(heldJob));
    scenes.add(new Scene("running, held", held, heldJob));

    TestCluster array = twoNodes();
    int base = array.submit(ALICE, ordinary().array("1-4").cpus(4).stubborn());
    array.ask(ALICE, Ask.cancel(Ask.tasks(base, "2-3")));
    scenes.add(new Scene("running, array task", array, array.task(base, 1).id()));
    return scenes;
  }

  private static Scene suspendedWithoutANode() {
    TestCluster cluster = twoNodes();
    int job = cluster.submit(ALICE, ordinary().nodes(2).survivesNodes());
    cluster.ask(ROOT, new Command.SuspendJob(Ask.all(job)));
    cluster.ask(ROOT, Ask.node("n2", "state", "DOWN", "reason", "disk"));
    return new Scene("suspended, goes on without a node", cluster, job);
  }

  private static List<Scene> suspended() {
    List<Scene> scenes = new ArrayList<>();
    TestCluster stopped = twoNodes();
    int suspended = stopped.submit(ALICE, ordinary());
    stopped.seconds(60);
    stopped.ask(ROOT, new Command.SuspendJob(Ask.all(suspended)));
    stopped.seconds(60);
    scenes.add(new Scene("suspended", stopped, suspended));

    TestCluster steps = twoNodes();
    int launching = steps.submit(ALICE, ordinary());
    steps.ask(ALICE, new Command.CreateStep(launching, StepSpec.of("true", 1)));
    steps.ask(ROOT, new Command.SuspendJob(Ask.all(launching)));
    scenes.add(new Scene("suspended, with a step", steps, launching));

    scenes.add(suspendedWithoutANode());

    TestCluster early = twoNodes();
    early.lose(e -> e instanceof Effect.Launch);
    int soon = early.submit(ALICE, ordinary());
    early.ask(ROOT, new Command.SuspendJob(Ask.all(soon)));
    scenes.add(new Scene("suspended before its launch", early, soon));
    early.lose(_ -> false);

    TestCluster tasks = twoNodes();
    int third = tasks.task(tasks.submit(ALICE, ordinary().array("1-3")), 3).id();
    tasks.ask(ROOT, new Command.SuspendJob(Ask.all(third)));
    tasks.ask(ALICE, Ask.hold(third));
    tasks.ask(ALICE, Ask.release(third));
    scenes.add(new Scene("suspended, array task", tasks, third));

    TestCluster turns =
        usual()
            .set("PreemptMode", "GANG")
            .partition("debug", "Nodes=ALL Default=YES OverSubscribe=FORCE:2")
            .start();
    turns.submit(ROOT, job().name("other").nodes(2).cpus(4).runs(100_000));
    scenes.add(new Scene("suspended, waits for its turn", turns, turns.submit(ALICE, ordinary())));

    TestCluster crowded =
        usual()
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", "SUSPEND,GANG")
            .partition("debug", "Nodes=ALL Default=YES PriorityTier=1")
            .partition("urgent", "Nodes=ALL PriorityTier=10")
            .start();
    int victim = crowded.submit(ALICE, ordinary());
    crowded.seconds(5);
    crowded.submit(ROOT, job().name("other").partition("urgent").nodes(2).cpus(4).runs(100_000));
    scenes.add(new Scene("suspended for another job", crowded, victim));

    TestCluster goesOn = twoNodes();
    int resumed = goesOn.submit(ALICE, ordinary());
    goesOn.ask(ROOT, new Command.SuspendJob(Ask.all(resumed)));
    goesOn.seconds(60);
    goesOn.ask(ROOT, new Command.ResumeJob(Ask.all(resumed)));
    scenes.add(new Scene("running after a suspension", goesOn, resumed));
    return scenes;
  }

  private static List<Scene> completing() {
    List<Scene> scenes = new ArrayList<>();
    TestCluster epilog = twoNodes("EpilogSlurmctld");
    int followed = epilog.submit(ALICE, ordinary());
    epilog.ask(ALICE, Ask.cancel(followed));
    epilog.minutes(1);
    scenes.add(new Scene("completing, epilog of the controller", epilog, followed));

    TestCluster ends = twoNodes();
    int cancelled = ends.submit(ALICE, ordinary().stubborn());
    ends.ask(ALICE, Ask.cancel(cancelled));
    scenes.add(new Scene("completing, ends", ends, cancelled));

    TestCluster steps = twoNodes();
    int launching = steps.submit(ALICE, ordinary());
    steps.ask(ALICE, new Command.CreateStep(launching, StepSpec.of("true", 1)));
    steps.ask(ALICE, Ask.cancel(launching));
    scenes.add(new Scene("completing, with a step", steps, launching));

    TestCluster exited = twoNodes();
    int failed = exited.submit(ALICE, ordinary().runs(10).ends("exit 3"));
    exited.seconds(10);
    scenes.add(new Scene("completing, ends by itself", exited, failed));

    TestCluster again = twoNodes();
    int requeued = again.submit(ALICE, ordinary().stubborn());
    again.ask(ALICE, Ask.requeue(requeued));
    scenes.add(new Scene("completing, goes back", again, requeued));

    TestCluster heldBack = twoNodes();
    int backHeld = heldBack.submit(ALICE, ordinary().stubborn());
    heldBack.ask(ALICE, Ask.requeue(backHeld));
    heldBack.ask(ALICE, Ask.hold(backHeld));
    scenes.add(new Scene("completing, goes back, held meanwhile", heldBack, backHeld));

    TestCluster prolog = twoNodes();
    int notStarted = prolog.submit(ALICE, ordinary().ends("prolog-failed"));
    scenes.add(new Scene("completing, goes back held", prolog, notStarted));

    TestCluster special = twoNodes();
    int exit8 = special.submit(ALICE, ordinary().runs(10).ends("exit 8"));
    special.seconds(10);
    scenes.add(new Scene("completing, special exit", special, exit8));
    return scenes;
  }

  private static List<Scene> ended() {
    List<Scene> scenes = new ArrayList<>();
    TestCluster well = twoNodes();
    int completed = well.submit(ALICE, ordinary().runs(10));
    well.seconds(20);
    scenes.add(new Scene("ended well", well, completed));

    TestCluster steps = twoNodes();
    int launching = steps.submit(ALICE, ordinary());
    steps.ask(ALICE, new Command.CreateStep(launching, StepSpec.of("true", 1)));
    steps.ask(ALICE, Ask.cancel(launching));
    steps.minutes(1);
    scenes.add(new Scene("ended, with a step", steps, launching));

    TestCluster dropped = busy();
    int never = dropped.submit(ALICE, ordinary());
    dropped.ask(ALICE, Ask.cancel(never));
    scenes.add(new Scene("ended, never ran", dropped, never));

    TestCluster array = twoNodes();
    int base = array.submit(ALICE, ordinary().array("1-4").runs(10));
    array.seconds(30);
    scenes.add(new Scene("ended, array task", array, array.task(base, 1).id()));
    return scenes;
  }
}

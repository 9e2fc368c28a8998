package io.dure.faults.corruption;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.StepEnd;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.cron.CronEntry;
import io.dure.model.cron.CronSchedule;
import io.dure.model.cron.CronSyntaxException;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.model.request.JobSpec;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.scheduler.Planner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What a small cluster decided in an hour: jobs submitted, held, started, ended, cancelled. Decided
 * by the product's own rules; the same seed gives the same events.
 *
 * @param decisions the events of each command that changed something, in order
 * @param states the state before the first of them, and after each
 */
record GeneratedHistory(List<HistoryBatch> decisions, List<ClusterState> states) {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final int NODES = 4;

  /** The events of one command. */
  record HistoryBatch(Instant at, List<Event> events) {}

  /** One of that many decisions. */
  static GeneratedHistory of(long seed, int decisions) {
    Author author = new Author(new Random(seed));
    author.write(decisions);
    return new GeneratedHistory(List.copyOf(author.decisions), List.copyOf(author.states));
  }

  /** The configuration that an empty journal starts from. */
  static ClusterConfig config() {
    String text =
        "ClusterName=rot\nSlurmctldHost=a\nSelectType=select/cons_tres\n"
            + "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=100\nMinJobAge=300\n"
            + "PrologSlurmctld=/prolog\nEpilogSlurmctld=/epilog\nScronParameters=enable\n"
            + ("NodeName=n[1-" + NODES + "] CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=8000\n")
            + "PartitionName=main Nodes=ALL Default=YES\n";
    ParsedConfig parsed = SlurmConfParser.parseAlone("/slurm.conf", text);
    if (parsed.hasErrors()) {
      throw new IllegalStateException(parsed.errors().toString());
    }
    return parsed.config();
  }

  /** The first so many decisions. */
  GeneratedHistory until(int count) {
    return new GeneratedHistory(decisions.subList(0, count), states.subList(0, count + 1));
  }

  /** The state after all. */
  ClusterState last() {
    return states.getLast();
  }

  private static final class Author {
    private static final Caller.User ROOT =
        new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);

    private static final Caller.Self SELF = new Caller.Self();

    private final Random random;
    private final List<HistoryBatch> decisions = new ArrayList<>();
    private final List<ClusterState> states = new ArrayList<>();
    private ClusterState state = ClusterState.initial(config());
    private Instant now = BEGIN;

    Author(Random random) {
      this.random = random;
      states.add(state);
    }

    void write(int count) {
      decide(new Command.Configure(config(), Command.Recovery.START), SELF);
      for (int i = 1; i <= NODES; i++) {
        String name = "n" + i;
        decide(new Command.RegisterNode(facts(name), List.of(), null), new Caller.NodeDaemon(name));
      }
      while (decisions.size() < count) {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> {
            submit();
            if (random.nextInt(5) == 0) {
              crontab();
            }
          }
          case 3 -> schedule();
          case 4, 5 -> progress();
          case 6 -> administer();
          case 7 -> change();
          case 8 -> node();
          default -> decide(new Command.Tick(), SELF);
        }
      }
    }

    private void decide(Command command, Caller caller) {
      now = now.plusMillis(1000L + random.nextInt(20_000));
      List<Event> events = CommandDecider.decide(state, command, caller, now).events();
      if (!events.isEmpty()) {
        state = EventApplier.applyAll(state, events);
        decisions.add(new HistoryBatch(now, List.copyOf(events)));
        states.add(state);
      }
    }

    private Caller.User user() {
      int user = random.nextInt(5);
      return new Caller.User(
          new UserIdentity(1000 + user, 100, "user" + user, "users"), List.of("users"), false);
    }

    /** Another crontab of a user, with entries that come every minute, or none. */
    private void crontab() {
      CronEntry time;
      try {
        time = new CronEntry(CronSchedule.parse("* * * * *"), "UTC", 1, 1);
      } catch (CronSyntaxException e) {
        throw new IllegalStateException(e);
      }
      JobTexts texts = JobTexts.of("#!/bin/sh\ntrue " + random.nextInt(20), List.of());
      CrontabChange.Entry entry =
          new CrontabChange.Entry(time, spec(), Workload.BatchSpec.nothing("/tmp"), texts);
      int count = random.nextInt(4);
      String text = "* * * * * true\n".repeat(count);
      decide(
          new Command.ChangeCrontab(new CrontabChange(text, Collections.nCopies(count, entry))),
          user());
    }

    private void submit() {
      String script = "#!/bin/sh\n" + "echo ".repeat(random.nextInt(40)) + random.nextInt(20);
      decide(
          new Command.SubmitJob(
              spec(),
              Workload.BatchSpec.nothing("/tmp"),
              JobTexts.of(script, List.of("HOME=/home")),
              "r" + random.nextInt()),
          user());
    }

    private void schedule() {
      decide(new Command.StartJobs(Planner.once(state, now).starts()), SELF);
    }

    private void progress() {
      List<Job> active = new ArrayList<>();
      state.active().values().forEach(active::add);
      if (active.isEmpty()) {
        return;
      }
      Job job = active.get(random.nextInt(active.size()));
      switch (job.state()) {
        case JobState.Running running when running.configuring() ->
            decide(new Command.PrologEnded(job.id(), job.run(), null), SELF);
        case JobState.Running running when !running.launched() ->
            decide(
                new Command.StepLaunched(job.id(), job.run()),
                new Caller.NodeDaemon(running.allocation().batchHost()));
        case JobState.Running _ when random.nextInt(8) == 0 ->
            decide(new Command.SuspendJob(new JobSelector(job.id(), null)), ROOT);
        case JobState.Suspended _ ->
            decide(new Command.ResumeJob(new JobSelector(job.id(), null)), ROOT);
        case JobState.Running running ->
            decide(
                new Command.StepEnded(
                    job.id(),
                    job.run(),
                    new StepEnd.Ran(new ExitStatus(random.nextInt(3), 0), false),
                    random.nextBoolean()),
                new Caller.NodeDaemon(running.allocation().batchHost()));
        case JobState.Completing completing when !completing.nodesLeft().isEmpty() ->
            decide(
                new Command.NodeCleaned(job.id(), job.run(), null),
                new Caller.NodeDaemon(completing.nodesLeft().getFirst()));
        case JobState.Completing completing when completing.epilog() ->
            decide(new Command.EpilogEnded(job.id(), job.run()), SELF);
        case JobState.Completing _, JobState.Pending _, JobState.Ended _ -> {}
      }
    }

    private void administer() {
      List<Job> jobs = state.jobs();
      if (jobs.isEmpty()) {
        return;
      }
      JobSelector which = new JobSelector(jobs.get(random.nextInt(jobs.size())).id(), null);
      switch (random.nextInt(4)) {
        case 0 -> decide(new Command.HoldJob(which, false), ROOT);
        case 1 -> decide(new Command.ReleaseJob(which), ROOT);
        case 2 -> decide(new Command.RequeueJob(which, false, false, false), ROOT);
        default -> decide(new Command.KillJob(which, null, false, false), ROOT);
      }
    }

    private void change() {
      List<Job> jobs = state.jobs();
      PartitionConfig main = state.partitions().getFirst();
      switch (random.nextInt(5)) {
        case 0 -> decide(new Command.ChangePartition(named(main, "extra"), true), ROOT);
        case 1 -> decide(new Command.DeletePartition("extra"), ROOT);
        case 2 -> decide(new Command.Configure(config(), Command.Recovery.RECONFIGURE), SELF);
        default -> {
          if (!jobs.isEmpty()) {
            int job = jobs.get(random.nextInt(jobs.size())).id();
            decide(new Command.UpdateJob(new JobSelector(job, null), limit()), ROOT);
          }
        }
      }
    }

    private void node() {
      String name = "n" + (1 + random.nextInt(NODES));
      NodeRecord record = state.node(name);
      switch (random.nextInt(5)) {
        case 0 ->
            decide(
                new Command.UpdateNodes(
                    List.of(name), new TreeMap<>(Map.of("state", "DRAIN", "reason", "dust"))),
                ROOT);
        case 1 ->
            decide(
                new Command.UpdateNodes(List.of(name), new TreeMap<>(Map.of("state", "RESUME"))),
                ROOT);
        case 2 -> decide(new Command.NodeDisconnected(name), SELF);
        case 3 ->
            decide(
                new Command.RegisterNode(facts(name), List.of(), null),
                new Caller.NodeDaemon(name));
        default -> {
          if (record != null) {
            decide(new Command.CreateNodes(List.of(named(record.config(), "x1"))), ROOT);
          }
          decide(new Command.DeleteNodes(List.of("x1")), ROOT);
        }
      }
    }

    private JobChange limit() {
      return JobChange.NONE.withTimeLimit(TimeLimit.minutes(1 + random.nextInt(50)));
    }

    private static PartitionConfig named(PartitionConfig like, String name) {
      return like.with()
          .name(name)
          .isDefault(false)
          .billingWeights(Map.of())
          .qos(null)
          .preemptMode(null)
          .graceTime(Duration.ZERO)
          .gpuDefaults(GpuDefaults.NONE)
          .build();
    }

    private static NodeConfig named(NodeConfig like, String name) {
      return like.with()
          .name(name)
          .address(name)
          .hostName(name)
          .bcastAddress(name)
          .inventory(null)
          .specializedCores(List.of())
          .build();
    }

    private NodeFacts facts(String name) {
      return new NodeFacts(
          "0",
          name,
          "192.0.2.1",
          "x86_64",
          "Linux",
          8,
          1,
          8,
          1,
          8000,
          100,
          List.of(),
          BEGIN,
          "boot",
          BEGIN,
          "none",
          List.of(),
          List.of(),
          List.of(),
          null);
    }

    private JobSpec spec() {
      ResourceRequest resources = ResourceRequest.of(1, 1, 1 + random.nextInt(4));
      return JobSpec.of(
              "job" + random.nextInt(100),
              List.of(),
              resources,
              TimeLimit.minutes(1 + random.nextInt(600)))
          .with()
          .dependency(dependency())
          .arrayTasks(random.nextInt(8) == 0 ? new ArrayRequest("0-" + random.nextInt(5)) : null)
          .requeue(random.nextBoolean() ? RequeuePolicy.YES : RequeuePolicy.NO)
          .build();
    }

    private DependencyList dependency() {
      List<Job> jobs = state.jobs();
      if (jobs.isEmpty() || random.nextInt(4) > 0) {
        return DependencyList.NONE;
      }
      int before = jobs.get(random.nextInt(jobs.size())).baseId();
      return new DependencyList(
          List.of(new Dependency(DependencyType.AFTER_ANY, before, null, 0)), false);
    }
  }
}

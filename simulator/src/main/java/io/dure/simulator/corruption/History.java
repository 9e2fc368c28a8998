package io.dure.simulator.corruption;

import io.dure.core.config.ClusterConfig;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.SlurmConf;
import io.dure.core.controller.Apply;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.StepEnd;
import io.dure.core.controller.decide.Decider;
import io.dure.core.model.Batch;
import io.dure.core.model.DependencyList;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Identity;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.NodeFacts;
import io.dure.core.model.OpenMode;
import io.dure.core.model.Requeue;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.Sharing;
import io.dure.core.model.TimeLimit;
import io.dure.core.model.text.JobTexts;
import io.dure.core.model.text.TextId;
import io.dure.core.scheduler.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a small cluster decided in an hour: jobs submitted, held, started, ended, cancelled. Decided
 * by the product's own rules; the same seed gives the same events.
 *
 * @param decisions the events of each command that changed something, in order
 * @param states the state before the first of them, and after each
 */
record History(List<Decision> decisions, List<ClusterState> states) {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final int NODES = 4;

  /** The events of one command. */
  record Decision(Instant at, List<Event> events) {}

  /** One of that many decisions. */
  static History of(long seed, int decisions) {
    Author author = new Author(new Random(seed));
    author.write(decisions);
    return new History(List.copyOf(author.decisions), List.copyOf(author.states));
  }

  /** The configuration that an empty journal starts from. */
  static ClusterConfig config() {
    String text =
        "ClusterName=rot\nSlurmctldHost=a\nSelectType=select/cons_tres\n"
            + "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=100\n"
            + ("NodeName=n[1-" + NODES + "] CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=8000\n")
            + "PartitionName=main Nodes=ALL Default=YES\n";
    ParsedConfig parsed = SlurmConf.parse("/slurm.conf", _ -> text);
    if (parsed.hasErrors()) {
      throw new IllegalStateException(parsed.errors().toString());
    }
    return parsed.config();
  }

  /** The first so many decisions. */
  History until(int count) {
    return new History(decisions.subList(0, count), states.subList(0, count + 1));
  }

  /** The state after all. */
  ClusterState last() {
    return states.getLast();
  }

  private static final class Author {
    private static final Caller.User ROOT =
        new Caller.User(new Identity(0, 0, "root", "root"), List.of("root"), true);

    private final Random random;
    private final List<Decision> decisions = new ArrayList<>();
    private final List<ClusterState> states = new ArrayList<>();
    private ClusterState state = ClusterState.initial(config());
    private Instant now = BEGIN;

    Author(Random random) {
      this.random = random;
      states.add(state);
    }

    void write(int count) {
      decide(new Command.Configure(config(), Command.Recovery.START), new Caller.Self());
      for (int i = 1; i <= NODES; i++) {
        String name = "n" + i;
        decide(new Command.RegisterNode(facts(name), List.of(), null), new Caller.NodeDaemon(name));
      }
      while (decisions.size() < count) {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> submit();
          case 3 -> schedule();
          case 4, 5 -> progress();
          case 6 -> administer();
          default -> decide(new Command.Tick(), new Caller.Self());
        }
      }
    }

    private void decide(Command command, Caller caller) {
      now = now.plusMillis(1000L + random.nextInt(20_000));
      List<Event> events = Decider.decide(state, command, caller, now).events();
      if (!events.isEmpty()) {
        state = Apply.applyAll(state, events);
        decisions.add(new Decision(now, List.copyOf(events)));
        states.add(state);
      }
    }

    private void submit() {
      int user = random.nextInt(5);
      String script = "#!/bin/sh\n" + "echo ".repeat(random.nextInt(40)) + random.nextInt(20);
      decide(
          new Command.SubmitJob(
              spec(), batch(), JobTexts.of(script, List.of("HOME=/home")), "r" + random.nextInt()),
          new Caller.User(
              new Identity(1000 + user, 100, "user" + user, "users"), List.of("users"), false));
    }

    private void schedule() {
      decide(new Command.StartJobs(Scheduler.schedule(state, now).starts()), new Caller.Self());
    }

    private void progress() {
      List<Job> active = new ArrayList<>();
      state.active().values().forEach(active::add);
      if (active.isEmpty()) {
        return;
      }
      Job job = active.get(random.nextInt(active.size()));
      switch (job.state()) {
        case JobState.Running running when !running.launched() ->
            decide(
                new Command.StepLaunched(job.id(), job.run()),
                new Caller.NodeDaemon(running.allocation().batchHost()));
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
          "none");
    }

    private JobSpec spec() {
      ResourceRequest resources =
          new ResourceRequest(
              1,
              1,
              1,
              1 + random.nextInt(4),
              null,
              1,
              new MemoryRequest.Default(),
              0,
              Sharing.DEFAULT,
              List.of(),
              List.of(),
              null,
              false,
              false,
              null,
              null,
              null);
      return new JobSpec(
          "job" + random.nextInt(100),
          List.of(),
          null,
          null,
          null,
          resources,
          TimeLimit.minutes(1 + random.nextInt(600)),
          null,
          null,
          null,
          DependencyList.NONE,
          random.nextInt(8) == 0 ? "0-" + random.nextInt(5) : null,
          null,
          random.nextBoolean() ? Requeue.YES : Requeue.NO,
          null,
          0,
          null,
          null,
          null,
          List.of());
    }

    private static Batch batch() {
      return new Batch(
          TextId.EMPTY,
          List.of(),
          TextId.EMPTY,
          false,
          "/tmp",
          null,
          null,
          null,
          OpenMode.DEFAULT,
          022,
          List.of(),
          null,
          "sbatch",
          "login",
          1);
    }
  }
}

package io.dure.bench.scheduling;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.loop.InMemoryController;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.PostRunAction;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload.BatchSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The controller's own state of a {@link SyntheticWorkload}, moved on by events. One thread. */
final class BenchCluster {
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");
  private static final int USERS = 500;

  private final SyntheticWorkload workload;
  private final Random random;
  private final List<Integer> running = new ArrayList<>();
  private final InMemoryController controller;

  /** All nodes registered, nothing submitted, under Slurm's order. */
  BenchCluster(int nodes, long seed) {
    this(nodes, seed, false);
  }

  /**
   * All nodes registered, nothing submitted.
   *
   * @param own whether its jobs stand in Dure's own order
   */
  BenchCluster(int nodes, long seed, boolean own) {
    workload = new SyntheticWorkload(seed);
    random = new Random(seed);
    ClusterConfig config = SyntheticWorkload.config(nodes, own);
    controller = new InMemoryController(ClusterState.initial(config), BEGIN);
    List<Event> events = new ArrayList<>();
    events.add(new Event.Configured(config, BEGIN));
    for (NodeConfig node : config.nodes()) {
      events.add(new Event.NodeRegistered(node.name(), facts(node), BEGIN));
    }
    controller.apply(events);
  }

  private static NodeFacts facts(NodeConfig node) {
    return node.asConfigured(BEGIN)
        .with()
        .version("0")
        .address("192.0.2.1")
        .threadsPerCore(1)
        .tmpDiskMib(100)
        .build();
  }

  /** What the next job asks for. */
  JobSpec next() {
    return workload.next();
  }

  ClusterState state() {
    return controller.state();
  }

  Instant now() {
    return controller.now();
  }

  /** Time passes. */
  void later(long seconds) {
    controller.setTime(now().plusSeconds(seconds));
  }

  /** So many jobs are submitted. */
  void submit(int count) {
    List<Event> events = new ArrayList<>(count);
    int first = state().nextJobId();
    for (int i = 0; i < count; i++) {
      int user = random.nextInt(USERS);
      events.add(
          new Event.JobSubmitted(
              first + i,
              now(),
              new UserIdentity(1000 + user, 100, "user" + user, "users"),
              workload.next(),
              BatchSpec.nothing("/tmp"),
              4_294_901_760L - first - i,
              Hold.NONE,
              List.of(),
              null,
              null));
    }
    controller.apply(events);
  }

  /** What a plan proposes starts, each checked by the controller's rules; how many did. */
  int start(List<Placement> starts) {
    int before = state().active().size();
    controller.decide(new Command.StartJobs(starts), new Caller.Self());
    for (Placement start : starts) {
      running.add(start.jobId());
    }
    return state().active().size() - before;
  }

  /** One of the running jobs ends, somewhere. */
  void end() {
    while (!running.isEmpty()) {
      int at = random.nextInt(running.size());
      int id = running.get(at);
      running.set(at, running.getLast());
      running.removeLast();
      Job job = state().active().get(id);
      if (job != null) {
        JobOutcome done = new JobOutcome.Completed(ExitStatus.OK);
        controller.apply(
            new Event.JobEnding(id, job.run(), done, now(), List.of(), PostRunAction.END, false),
            new Event.JobFinished(id));
        return;
      }
    }
  }
}

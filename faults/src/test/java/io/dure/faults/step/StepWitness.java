package io.dure.faults.step;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.invariants.StepInvariant;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.node.noderun.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Sees all numbered steps: what was stored of them, and what ran; and says what is not true. */
public final class StepWitness implements StepObserver {
  private static final ExitStatus NODE_FAILED = new ExitStatus(1, 0);
  private static final ExitStatus NOT_STARTED = new ExitStatus(0, 53);

  /** Looks, five seconds apart, after which what is wrong does not pass by itself. */
  private static final int MOST_LOOKS = 30;

  /** Looks after which a step that no node knows is over. */
  private static final int LAUNCH_LOOKS =
      MOST_LOOKS + Math.toIntExact(LaunchedStep.LAUNCH_TIME.toSeconds() / 5);

  private final StepSurroundings world;
  private final TreeMap<PartId, Known> steps = new TreeMap<>();
  private final TreeMap<RunId, Allocation> allocations = new TreeMap<>();

  /** Jobs that begin and end with a step, and of which whole they are. */
  private final TreeMap<Integer, Integer> ofSrun = new TreeMap<>();

  private final TreeMap<String, Truth> parts = new TreeMap<>();
  private final TreeMap<String, PartId> cancelling = new TreeMap<>();
  private final TreeSet<PartId> cancelled = new TreeSet<>();
  private final TreeMap<String, Integer> amiss = new TreeMap<>();
  private final TreeMap<String, Integer> seen = new TreeMap<>();

  /** A step as it was stored. */
  private static final class Known {
    final LaunchedStep step;
    final TreeSet<String> left;
    ExitStatus worst = ExitStatus.OK;

    /** Whether its run is over. */
    boolean dropped;

    Known(LaunchedStep step) {
      this.step = step;
      this.left = new TreeSet<>(step.nodes());
    }

    boolean isLive() {
      return !dropped && !left.isEmpty();
    }
  }

  /** What happened on a node. */
  private static final class Truth {
    @Nullable StepEnd end;

    /** Whether the record of it was lost with the power. */
    boolean lost;
  }

  /**
   * What a look is made at: a node that the controller has been in touch with for a while.
   *
   * @param settled whether for so long that steps it does not know are over
   */
  public record Touched(String node, NodeParts parts, boolean settled) {}

  /** For a world. */
  public StepWitness(StepSurroundings world) {
    this.world = world;
  }

  private static String at(String node, PartId id) {
    return id.text() + " on " + node;
  }

  @Override
  public void began(String node, PartId id) {
    world.tell(at(node, id) + " begins");
    world.count("a part of a step ran");
    if (parts.put(at(node, id), new Truth()) != null) {
      world.violate("a part of a step begins once", at(node, id));
    }
    if (!steps.containsKey(id)) {
      world.violate("what runs was stored before", at(node, id));
    }
  }

  @Override
  public void ended(String node, PartId id, StepEnd end) {
    world.tell(at(node, id) + " ends: " + end);
    Truth truth = parts.get(at(node, id));
    if (truth != null) {
      truth.end = end;
    }
  }

  @Override
  public void lost(String node, PartId id) {
    Truth truth = parts.computeIfAbsent(at(node, id), _ -> new Truth());
    truth.lost = true;
    truth.end = truth.end == null ? new StepEnd.Lost(null) : truth.end;
  }

  @Override
  public void acknowledged(int job, int number) {
    world.count("a step was created");
    if (steps.keySet().stream().noneMatch(id -> id.run().jobId() == job && id.step() == number)) {
      world.violate("what is acknowledged is durable", "step " + job + "." + number);
    }
  }

  /** A cancel of a step is to be answered with yes. */
  public void cancelling(ClusterState state, int job, int number) {
    Job of = state.job(job);
    if (of != null) {
      cancelling.put(job + "." + number, new PartId(new RunId(job, of.run()), number));
    }
  }

  /** A user was told that a step is cancelled. */
  public void cancelled(int job, int number) {
    PartId id = cancelling.get(job + "." + number);
    if (id != null) {
      world.count("a step was cancelled");
      world.tell(id.text() + " is cancelled");
      cancelled.add(id);
    }
  }

  /** An event is durable. */
  public void fact(Event event) {
    if (event instanceof Event.JobSubmitted e) {
      if (e.workload() instanceof Workload.InteractiveAllocation interactive
          && interactive.step() != null) {
        ofSrun.put(e.jobId(), e.het() == null ? e.jobId() : e.het().leader());
      }
    } else if (event instanceof Event.JobStarted e) {
      allocations.put(new RunId(e.jobId(), e.run()), e.allocation());
    } else if (event instanceof Event.StepCreated e) {
      created(new PartId(new RunId(e.jobId(), e.run()), e.step().number()), e.step());
    } else if (event instanceof Event.StepPartEnded e) {
      PartId part = new PartId(new RunId(e.jobId(), e.run()), e.step());
      HostList.expand(e.nodes()).forEach(node -> partEnded(part, node, e.exit()));
    } else if (event instanceof Event.StepExitKnown e) {
      PartId part = new PartId(new RunId(e.jobId(), e.run()), e.step());
      HostList.expand(e.nodes()).forEach(node -> isKnown(part, node, e.exit()));
    } else if (event instanceof Event.AllocationShrunk e) {
      shrunk(new RunId(e.jobId(), e.run()), e);
    } else if (event instanceof Event.JobEnding e) {
      over(new RunId(e.jobId(), e.run()), e.outcome());
    }
  }

  /** Whatever still runs on a node that the job has lost is no part of it any more. */
  private void shrunk(RunId run, Event.AllocationShrunk e) {
    TreeSet<String> gone = new TreeSet<>(HostList.expand(e.nodes()));
    world.count("a job went on without a node");
    world.tell("run " + run.text() + " goes on without " + e.nodes());
    allocations.computeIfPresent(run, (_, held) -> held.without(gone, e.at()));
    for (Known step : of(run)) {
      if (!step.dropped && step.left.removeAll(gone)) {
        step.worst = LaunchedStep.worse(step.worst, e.exit());
      }
    }
  }

  private void created(PartId id, LaunchedStep step) {
    world.tell(id.text() + " is created on " + step.nodes());
    Allocation held = allocations.get(id.run());
    if (held == null) {
      world.violate("a step is within its job", id.text() + " of a run that holds nothing");
      return;
    }
    if (steps.put(id, new Known(step)) != null) {
      world.violate("a step is created once", id.text());
    }
    List<LaunchedStep> live = new ArrayList<>();
    for (Known known : of(id.run())) {
      if (known.isLive()) {
        live.add(known.step.with().nodesLeft(List.copyOf(known.left)).build());
      }
    }
    String broken = StepInvariant.broken(held, live);
    if (broken != null) {
      world.violate("steps share what their job has", id.text() + ": " + broken);
    }
  }

  /** The steps of a run. */
  private Collection<Known> of(RunId run) {
    return steps
        .subMap(new PartId(run, Integer.MIN_VALUE), new PartId(run, Integer.MAX_VALUE))
        .values();
  }

  private void partEnded(PartId id, String node, ExitStatus exit) {
    world.tell(at(node, id) + " is said to have ended: " + exit);
    Known step = steps.get(id);
    if (step == null || step.dropped || !step.left.remove(node)) {
      world.violate("a part of a step ends once, and with its job", at(node, id));
      return;
    }
    step.worst = LaunchedStep.worse(step.worst, exit);
    isKnown(id, node, exit);
  }

  private void isKnown(PartId id, String node, ExitStatus exit) {
    Truth truth = parts.get(at(node, id));
    StepEnd end = truth == null ? null : truth.end;
    boolean failed = exit.equals(NODE_FAILED) || exit.equals(NOT_STARTED);
    if (truth != null && end == null) {
      world.violate("a part that is said to have ended has ended", at(node, id) + ": " + exit);
    } else if (truth == null || truth.lost) {
      boolean asItDid = end instanceof StepEnd.Ran(var status, _, _) && status.equals(exit);
      if (!failed && !asItDid) {
        world.violate("what was lost has failed", at(node, id) + ": " + exit);
      }
    } else if (end instanceof StepEnd.Ran(var status, _, _) && !status.equals(exit)) {
      world.violate(
          "a step ends as its tasks did", at(node, id) + ": " + exit + " instead of " + status);
    }
  }

  private void over(RunId run, JobOutcome outcome) {
    Integer leader = ofSrun.get(run.jobId());
    if (leader != null && leader == run.jobId()) {
      ofItsStep(run, outcome);
    }
    of(run).forEach(step -> step.dropped |= !step.left.isEmpty());
  }

  /** A job of srun ends as its step did. */
  private void ofItsStep(RunId run, JobOutcome outcome) {
    ExitStatus worst = ExitStatus.OK;
    boolean all = true;
    for (Map.Entry<Integer, Integer> one : ofSrun.tailMap(run.jobId()).entrySet()) {
      if (one.getValue() != run.jobId()) {
        break;
      }
      Known step = steps.get(new PartId(new RunId(one.getKey(), run.run()), 0));
      all &= step != null && step.left.isEmpty();
      worst = step == null ? worst : LaunchedStep.worse(worst, step.worst);
    }
    boolean well = outcome instanceof JobOutcome.Completed;
    if (well && (!all || !worst.equals(ExitStatus.OK))) {
      world.violate(
          "a job whose step failed has not completed", "job " + run.jobId() + ": " + worst);
    } else if (all
        && outcome instanceof JobOutcome.Failed(ExitStatus exit)
        && !exit.equals(worst)) {
      world.violate(
          "a job of srun ends as its step did", "job " + run.jobId() + ": " + exit + ", " + worst);
    }
  }

  private boolean lasts(String what) {
    return lasts(what, MOST_LOOKS);
  }

  private boolean lasts(String what, int most) {
    int count = amiss.getOrDefault(what, 0) + 1;
    seen.put(what, count);
    return count > most;
  }

  /**
   * What really runs, on nodes that the controller has been in touch with for a while. Called every
   * few seconds.
   *
   * @param now what the controller takes for the time
   */
  public void look(ClusterState state, List<Touched> nodes, Instant now) {
    seen.clear();
    for (Touched node : nodes) {
      for (SimulatedPart part : node.parts().all()) {
        if (part.lives()) {
          living(state, node.node(), part);
        }
      }
      for (Job job : state.active().values()) {
        if (job.state() instanceof JobState.Running) {
          for (LaunchedStep step : job.runSteps().live()) {
            bounded(job, step, node, now);
          }
        }
      }
    }
    amiss.clear();
    amiss.putAll(seen);
  }

  private void living(ClusterState state, String node, SimulatedPart part) {
    PartId id = part.id();
    Job job = state.active().get(id.run().jobId());
    LaunchedStep step =
        job == null || job.run() != id.run().run() ? null : job.runSteps().step(id.step());
    boolean wanted = step != null && step.nodesLeft().contains(node);
    if (!wanted && lasts("unknown " + at(node, id))) {
      world.violate("a step that the state does not have is ended", at(node, id));
    }
    if (cancelled.contains(id) && lasts("cancelled " + at(node, id))) {
      world.violate("a cancelled step is over", at(node, id));
    }
    boolean still = job != null && job.state() instanceof JobState.Suspended;
    if (wanted && part.isStopped() != still && lasts("moving " + at(node, id))) {
      world.violate(
          "what is suspended stands still, and what is not goes on",
          at(node, id) + (still ? " moves" : " stands still"));
    }
  }

  /** What does not run on a node that can say so is over in time. */
  private void bounded(Job job, LaunchedStep step, Touched node, Instant now) {
    PartId id = new PartId(new RunId(job.id(), job.run()), step.number());
    if (!step.nodesLeft().contains(node.node())) {
      return;
    }
    SimulatedPart part = node.parts().part(id);
    boolean lives = part != null && part.lives();
    boolean hasEnded = part != null && part.end != null;
    boolean isSilent =
        hasEnded
            ? lasts("untold " + at(node.node(), id))
            : !lives && node.settled() && lasts("silent " + at(node.node(), id), LAUNCH_LOOKS);
    if (isSilent) {
      world.violate("a step that does not run ends", at(node.node(), id));
    }
    Instant end = step.end();
    boolean late = end != null && now.isAfter(end);
    if (lives && late && lasts("late " + at(node.node(), id))) {
      world.violate("a step ends at its limit", at(node.node(), id));
    }
  }

  /** At the very end: all that was created is over, and the state has its true ends. */
  public void last(ClusterState state) {
    steps.forEach((id, step) -> {
      if (step.isLive()) {
        world.violate("a step that was created ends", id.text() + " has not on " + step.left);
      }
    });
    for (Job job : state.jobs()) {
      RunId run = new RunId(job.id(), job.run());
      ExitStatus worst = ExitStatus.OK;
      for (Known step : of(run)) {
        worst = step.dropped ? worst : LaunchedStep.worse(worst, step.worst);
      }
      if (!job.runSteps().live().isEmpty()) {
        world.violate("no step outlives its job", "job " + job.id());
      }
      if (job.state() instanceof JobState.Ended && !job.runSteps().highest().equals(worst)) {
        world.violate(
            "the worst end of its steps is a job's",
            "job " + job.id() + ": " + job.runSteps().highest() + " instead of " + worst);
      }
    }
  }

  /** How many steps were created. */
  public int created() {
    return steps.size();
  }
}

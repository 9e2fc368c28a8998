package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RequestId;
import io.dure.cluster.derived.CoreSet;
import io.dure.cluster.invariants.CoreUseInvariant;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.job.PostRunAction;
import io.dure.node.noderun.RunId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything and forgets nothing: what was acknowledged, what was stored, what ran; and says
 * when a promise is broken.
 */
final class PromiseWitness {
  private static final int PUBLISHED_A_FULL_CHECK = 300;

  private final SimulatedWorld world;
  private final ArrayDeque<Batch> unsettled = new ArrayDeque<>();
  private final TreeMap<String, Integer> jobOf = new TreeMap<>();
  private final TreeMap<Integer, String> acknowledged = new TreeMap<>();
  private final TreeSet<RunId> started = new TreeSet<>();
  private final TreeMap<RunId, String> begun = new TreeMap<>();
  private final TreeSet<Integer> purged = new TreeSet<>();
  private final TreeMap<String, Reply> replies = new TreeMap<>();
  private final TreeMap<String, Long> welcomed = new TreeMap<>();
  private final TreeMap<RunId, Integer> strangers = new TreeMap<>();

  /** Runs whose processes stand still and should not, or the other way round, and since when. */
  private final TreeMap<RunId, Integer> amiss = new TreeMap<>();

  /** Runs that stand still. */
  private final TreeSet<RunId> still = new TreeSet<>();

  /**
   * Runs that may be on cores of others: an operator let them go on, whoever had their cores by
   * then; or they were ended while they stood still.
   */
  private final TreeSet<RunId> stopped = new TreeSet<>();

  private long records;
  private int lastId;
  private int publications;
  private @Nullable ClusterState decided;
  private @Nullable Batch settled;

  /** Events that were stored together, and the state after them. */
  private record Batch(long last, List<Event> events, ClusterState after) {}

  PromiseWitness(SimulatedWorld world) {
    this.world = world;
  }

  /** Jobs that clients were told of. */
  int acknowledgedJobs() {
    return acknowledged.size();
  }

  int runs() {
    return begun.size();
  }

  /** The rules, seen. */
  DecisionFunction rules(DecisionFunction real) {
    return (state, command, caller, now) -> {
      try {
        Decision decision = real.decide(state, command, caller, now);
        resumed(command, decision);
        decided = decision.after();
        Integer cancelling = decision.reply() instanceof Reply.Done ? cancel(state, command) : null;
        if (command instanceof Command.Named(_, Command.KillStep(int job, int step, _))) {
          world.stepWitness.cancelling(state, job, step);
        }
        if (cancelling != null) {
          cancelled(cancelling, decision.after());
        }
        return decision;
      } catch (RuntimeException bug) {
        world.violate("a rule meets no bug", command + ": " + bug);
        throw bug;
      }
    };
  }

  /** Who is resumed by an operator goes on whoever has his cores by then. */
  private void resumed(Command command, Decision decision) {
    Command asked = command instanceof Command.Named named ? named.change() : command;
    if (asked instanceof Command.ResumeJob) {
      for (Event event : decision.events()) {
        if (event instanceof Event.JobResumed e) {
          stopped.add(new RunId(e.jobId(), e.run()));
        }
      }
    }
  }

  /** The job that is to be cancelled now, not one that was when the same was asked for before. */
  private @Nullable Integer cancel(ClusterState state, Command command) {
    boolean before =
        command instanceof Command.Named(String name, _)
            && state.answers().all().stream().anyMatch(e -> e.id().toString().equals(name));
    Command asked = command instanceof Command.Named named ? named.change() : command;
    return !before && asked instanceof Command.KillJob kill && kill.signal() == null
        ? kill.job().jobId()
        : null;
  }

  /** The store, seen. */
  EventStore store(EventStore real) {
    return new EventStore() {
      @Override
      public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
        ClusterState after = decided;
        List<Event> events = batch.events();
        if (after != null && !events.isEmpty()) {
          records++;
          unsettled.add(new Batch(records, List.copyOf(events), after));
        }
        long upTo = records;
        real.append(
            batch,
            failure -> {
              if (failure == null) {
                settle(upTo);
              }
              done.accept(failure);
            });
      }

      @Override
      public void offerSnapshot(ClusterState state) {
        real.offerSnapshot(state);
      }
    };
  }

  /** The store of one that leads a group, seen. */
  EventStore rememberDecided(GroupLogHistory.Reader reader, EventStore real) {
    return new EventStore() {
      @Override
      public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
        ClusterState after = decided;
        if (after != null) {
          reader.deciding(new GroupLogHistory.Decided(List.copyOf(batch.events()), after));
        }
        real.append(batch, done);
      }

      @Override
      public void offerSnapshot(ClusterState state) {
        real.offerSnapshot(state);
      }
    };
  }

  private void settle(long upTo) {
    for (Batch next = unsettled.peek();
        next != null && next.last() <= upTo;
        next = unsettled.peek()) {
      unsettled.remove();
      settled = next;
      world.books.truth().happened(next.events());
      next.events().forEach(this::fact);
    }
  }

  /** The journal was opened and held this. */
  void recovered(ClusterState state, long last) {
    Batch expected = settled;
    if (last < (expected == null ? 0 : expected.last())) {
      world.violate(
          "what is durable is not lost",
          "record " + (expected == null ? 0 : expected.last()) + " was, found " + last);
      return;
    }
    settle(last);
    expected = settled;
    unsettled.clear();
    records = last;
    if (last != (expected == null ? 0 : expected.last())) {
      world.violate("a batch is kept whole or not at all", "found up to record " + last);
    } else if (expected != null) {
      try {
        StateInvariants.same(expected.after(), state);
      } catch (AssertionError e) {
        world.violate("the live state is the replayed state", shortened(e));
      }
    }
    check(state);
  }

  static String shortened(AssertionError e) {
    String text = String.valueOf(e.getMessage());
    return text.length() > 1500 ? text.substring(0, 1500) + " ..." : text;
  }

  /** An event is durable. */
  void fact(Event event) {
    world.stepWitness.fact(event);
    if (event instanceof Event.JobSubmitted e) {
      submitted(e.jobId(), e.spec().name());
    } else if (event instanceof Event.ArrayTaskSplit e && e.taskJobId() != e.arrayJobId()) {
      given(e.taskJobId());
    } else if (event instanceof Event.JobStarted e) {
      RunId id = new RunId(e.jobId(), e.run());
      world.tell("run " + id.text() + " is given " + e.allocation().nodes());
      if (!started.add(id)) {
        world.violate("a run is started once", "run " + id.text());
      }
    } else if (event instanceof Event.JobEnding e) {
      over(new RunId(e.jobId(), e.run()), e.outcome(), e.afterwards());
    } else if (event instanceof Event.JobDropped e) {
      world.tell("job " + e.jobId() + " is dropped: " + e.outcome());
      said(e.jobId(), e.outcome());
    } else if (event instanceof Event.JobsPurged e) {
      purged.addAll(e.jobIds());
    } else if (event instanceof Event.ChangeAnswered e) {
      if (replies.put(e.answer().id().toString(), e.answer().reply()) != null) {
        world.violate("a change is done once", e.answer().kind() + " " + e.answer().id());
      }
    } else {
      told(event);
    }
  }

  /** Events that are part of the story alone. */
  private void told(Event event) {
    if (event instanceof Event.JobSuspended e) {
      suspended(e);
    } else if (event instanceof Event.JobResumed e) {
      RunId id = new RunId(e.jobId(), e.run());
      still.remove(id);
      world.tell("run " + id.text() + " goes on");
    } else if (event instanceof Event.JobNoticed e) {
      world.tell("run " + new RunId(e.jobId(), e.run()).text() + " is told to make room");
    } else if (event instanceof Event.JobRequeued e) {
      world.tell("job " + e.jobId() + " is back in the queue");
    } else if (event instanceof Event.JobFinished e) {
      world.tell("job " + e.jobId() + " is finished");
    } else if (event instanceof Event.NodeRegistered e) {
      world.tell(e.node() + " has registered");
    } else if (event instanceof Event.NodeSilent e) {
      world.tell(e.node() + " does not respond");
    } else if (event instanceof Event.NodeConditionChanged e) {
      world.tell(e.node() + ": " + e.condition());
    }
  }

  private void suspended(Event.JobSuspended e) {
    RunId id = new RunId(e.jobId(), e.run());
    Integer forJob = e.forJob();
    world.count(forJob == null ? "a run stood still" : "a run stood still for another");
    world.tell("run " + id.text() + " is suspended" + (forJob == null ? "" : " for job " + forJob));
    still.add(id);
  }

  /** Somebody hears the answer to a change. */
  void answered(RequestId name, Reply reply) {
    Reply first = replies.get(name.toString());
    if (first != null && !first.equals(reply)) {
      world.violate("who asks again is told the same", name + ": " + first + ", then " + reply);
    }
  }

  private void submitted(int id, String name) {
    world.tell("job " + id + " is " + name);
    given(id);
    Integer before = jobOf.put(name, id);
    // A controller whose clock jumps ahead forgets what ended before, and who asked for it.
    if (before != null && !purged.contains(before)) {
      world.violate("a submission is one job", name + " is job " + before + " and " + id);
    }
  }

  private void over(RunId id, JobOutcome outcome, PostRunAction afterwards) {
    world.tell("run " + id.text() + " is over: " + outcome + ", then " + afterwards);
    said(id.jobId(), outcome);
    if (still.remove(id)) {
      stopped.add(id);
    }
    if (outcome instanceof JobOutcome.Preempted) {
      world.count("a run made room");
    }
    boolean byItself =
        outcome instanceof JobOutcome.Completed || outcome instanceof JobOutcome.Failed;
    if (byItself && world.lives(id)) {
      world.violate("a run that is said to have ended has ended", "run " + id.text());
    }
  }

  private void said(int job, @Nullable Object outcome) {
    if (outcome == null) {
      world.violate("a job that ended says how", "job " + job);
    }
  }

  private void given(int id) {
    if (id <= lastId) {
      world.violate("ids are unique and rise", "job " + id + " after " + lastId);
    }
    lastId = Math.max(lastId, id);
  }

  /** A client was told that its job was accepted. */
  void acknowledged(int id, String name) {
    acknowledged.put(id, name);
    world.tell("job " + id + " is acknowledged as " + name);
    Integer known = jobOf.get(name);
    if (known == null || known != id) {
      world.violate(
          "what is acknowledged is durable", name + " as job " + id + ", stored as " + known);
    }
  }

  /** A cancel is to be answered with yes. */
  private void cancelled(int id, ClusterState state) {
    for (Job job : state.records(id)) {
      if (job.state() instanceof JobState.Pending || job.state().runningOrSuspended() != null) {
        world.violate("a cancelled job is over", "job " + job.displayId() + ": " + job.state());
      }
    }
  }

  /** A new state can be seen. */
  @SuppressWarnings("ReferenceEquality") // another version, not an unequal one
  void published(@Nullable ClusterState before, ClusterState state) {
    if (++publications % PUBLISHED_A_FULL_CHECK == 0) {
      check(state);
    }
    for (NodeRecord node : state.nodes().values()) {
      if (before == null || before.node(node.name()) != node) {
        check(state, node);
      }
    }
  }

  private void check(ClusterState state, NodeRecord node) {
    long memory = 0;
    Map<Integer, NodeShare> held = new TreeMap<>();
    node.shares().forEach(held::put);
    CoreSet all = CoreSet.EMPTY;
    for (NodeShare share : held.values()) {
      memory += share.memoryMib();
      all = all.plus(share.cores());
    }
    held.keySet().removeIf(id -> wasStopped(state.job(id)));
    if (CoreUseInvariant.overused(state, held) != null
        || all.size() > node.config().shape().cpus()
        || memory > node.config().realMemoryMib()) {
      world.violate("nothing is given twice", node.name() + " has given " + node.shares().values());
    }
  }

  private boolean wasStopped(@Nullable Job job) {
    return job != null && stopped.contains(new RunId(job.id(), job.run()));
  }

  /** All that is true of every state, and of this one. */
  void check(ClusterState state) {
    try {
      StateInvariants.check(state);
    } catch (AssertionError e) {
      world.violate("the state agrees with itself", shortened(e));
    }
    acknowledged.forEach((id, name) -> {
      List<Job> jobs = state.records(id);
      if (jobs.isEmpty() && !purged.contains(id)) {
        world.violate("an acknowledged job is not lost", "job " + id + ", " + name);
      } else if (!jobs.isEmpty() && !jobs.getFirst().spec().name().equals(name)) {
        world.violate(
            "an acknowledged job keeps its id",
            "job " + id + " is " + jobs.getFirst().spec().name());
      }
    });
  }

  /** Whether a job was forgotten after its end. */
  boolean isPurged(int id) {
    return purged.contains(id);
  }

  /** When a node's daemon was last welcomed, microseconds; 0 for never. */
  long lastWelcome(String node) {
    return welcomed.getOrDefault(node, 0L);
  }

  /** A node's daemon has been welcomed. */
  void welcomed(String node) {
    welcomed.put(node, world.time.micros());
  }

  /** Processes of a run begin on a node. */
  void began(String node, RunId id) {
    world.tell("run " + id.text() + " begins on " + node);
    String before = begun.put(id, node);
    if (before != null) {
      world.violate("a run begins once", "run " + id.text() + " on " + before + " and on " + node);
    }
    if (!started.contains(id)) {
      world.violate("what runs was stored before", "run " + id.text() + " on " + node);
    }
  }

  /**
   * What really runs, on nodes that the controller has been in touch with for a while: one run of a
   * job, and one that should run. Called every few seconds.
   */
  void look(ClusterState state, List<SimulatedNodeHost> nodes, long patience) {
    TreeMap<Integer, String> living = new TreeMap<>();
    TreeMap<RunId, Integer> now = new TreeMap<>();
    TreeMap<RunId, Integer> otherwise = new TreeMap<>();
    for (SimulatedNodeHost node : nodes) {
      if (!isInTouch(state, node, patience)) {
        continue;
      }
      for (SimulatedStep step : node.steps.values()) {
        if (!step.lives() || step.dying || world.time.micros() - step.begun < patience) {
          continue;
        }
        RunId id = step.id;
        Job job = state.active().get(id.jobId());
        String before = living.put(id.jobId(), node.name());
        boolean wanted = job != null && job.run() == id.run();
        if (job != null && wanted) {
          standstill(job, step, otherwise);
        }
        if (before != null || !wanted) {
          int seen = strangers.getOrDefault(id, 0) + 1;
          now.put(id, seen);
          if (seen > 12) {
            world.violate(
                "one run of a job lives, and one that should",
                "run %s on %s%s: %s"
                    .formatted(
                        id.text(),
                        node.name(),
                        (before == null ? "" : " and " + before),
                        (job == null ? "not active" : "run " + job.run() + " is the job's")));
          }
        }
      }
    }
    strangers.clear();
    strangers.putAll(now);
    amiss.clear();
    amiss.putAll(otherwise);
  }

  /** What is suspended stands still, and what runs does not. */
  private void standstill(Job job, SimulatedStep step, Map<RunId, Integer> now) {
    boolean wanted = job.state() instanceof JobState.Suspended;
    if (job.state().runningOrSuspended() == null || step.stopped == wanted) {
      return;
    }
    int seen = amiss.getOrDefault(step.id, 0) + 1;
    now.put(step.id, seen);
    if (seen > 12) {
      world.violate(
          "what is suspended stands still, and what is not goes on",
          "run " + step.id.text() + (wanted ? " moves: " : " stands still: ") + job.state());
    }
  }

  boolean isInTouch(ClusterState state, SimulatedNodeHost node, long patience) {
    NodeRecord record = state.node(node.name());
    Long since = welcomed.get(node.name());
    return node.connection() != null
        && record != null
        && record.responding()
        && since != null
        && world.time.micros() - since > patience;
  }
}

package io.dure.cluster.invariants;

import io.dure.cluster.ClusterState;
import io.dure.cluster.JobTextStore;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RecentReplies;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.SubmissionIndex;
import io.dure.cluster.derived.CoreSet;
import io.dure.cluster.derived.TimeSliceQueue;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.gres.License;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobId;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.TextId;
import io.dure.placement.gres.GresLoad;
import io.dure.rules.gang.GangRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is true of every state, whatever happened. */
public final class StateInvariants {
  private StateInvariants() {}

  /**
   * Checks a state.
   *
   * @throws AssertionError naming what is wrong
   */
  public static void check(ClusterState state) {
    Map<String, Map<Integer, NodeShare>> held = new TreeMap<>();
    for (Job job : state.jobs()) {
      require(job.id() != state.nextJobId(), "its id is to be given again", job);
      require(new JobId(job.id()).cluster() == 0, "its id is of another cluster", job);
      switch (job.state()) {
        case JobState.Pending pending -> pending(state, job, pending);
        case JobState.Running running -> {
          require(state.active().contains(job.id()), "running, not active", job);
          require(!(job.array() instanceof ArrayPart.Waiting), "waiting tasks run", job);
          hold(held, job, running.allocation().shares(), running.allocation().nodes());
        }
        case JobState.Suspended suspended -> {
          require(state.active().contains(job.id()), "suspended, not active", job);
          hold(held, job, suspended.retainedShares(), suspended.run().allocation().nodes());
        }
        case JobState.Completing completing -> {
          require(state.active().contains(job.id()), "completing, not active", job);
          require(!completing.isClean(), "completes nowhere", job);
          require(
              completing.allocation().nodes().containsAll(completing.nodesLeft()),
              "completes elsewhere",
              job);
          hold(held, job, completing.allocation().shares(), completing.nodesLeft());
        }
        case JobState.Ended _ ->
            require(state.ended().contains(job.id()), "ended, not among the ended", job);
      }
      array(state, job);
      het(state, job);
      steps(job);
    }
    licenses(state);
    counts(state);
    turns(state);
    texts(state);
    requests(state);
    answers(state);
    require(
        state.jobCount() == state.jobs().stream().mapToInt(Job::id).distinct().count(),
        "a job is kept twice",
        state.jobs());
    for (NodeRecord node : state.nodes().values()) {
      Map<Integer, NodeShare> shares = held.getOrDefault(node.name(), new TreeMap<>());
      node(state, node, shares, wasResumed(state, shares.keySet()));
    }
  }

  /** Steps live within a run, and have their part of what it has. */
  private static void steps(Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    if (run == null) {
      require(job.runSteps().live().isEmpty(), "its steps outlive it", job);
      return;
    }
    String broken = StepInvariant.broken(run.allocation(), job.runSteps().live());
    require(broken == null, String.valueOf(broken), job);
  }

  /** Jobs that take turns do not share a core at one time, and none waits in vain. */
  private static void turns(ClusterState state) {
    GangRules turns = new GangRules(state, id -> state.active().get(id));
    for (Job job : state.active().values()) {
      if (job.state() instanceof JobState.Running running && !running.configuring()) {
        require(!turns.takesPart(job) || !turns.yields(job), "runs in others' turn", job);
      }
      if (GangRules.waits(job)) {
        require(!turns.hasRoom(job), "waits for its turn, and no job has it", job);
        JobState.Running run = job.state().runningOrSuspended();
        String partition = run == null ? "" : run.allocation().partition();
        require(state.slices().waiting(partition).contains(job), "is not known to wait", job);
      }
    }
    for (TimeSliceQueue.Turn turn : state.slices().turns()) {
      List<Job> waiting = state.slices().waiting(turn.partition());
      require(!waiting.isEmpty(), "no job waits", turn);
      require(
          waiting.stream().allMatch(GangRules::waits), "a job that does not wait is said to", turn);
    }
  }

  /** Jobs are counted by the association that they are charged to. */
  private static void counts(ClusterState state) {
    OwnerJobCounts counted = OwnerJobCounts.NONE;
    for (Job job : state.jobs()) {
      counted = counted.changed(null, job);
    }
    require(counted.equals(state.queued()), "jobs are counted otherwise", state.queued());
  }

  /** Licences are counted as running jobs hold them, and never beyond what there are. */
  private static void licenses(ClusterState state) {
    List<License> held = List.of();
    for (Job job : state.active().values()) {
      JobState.Running running = job.state().runningOrSuspended();
      if (running != null) {
        held = License.sum(held, running.allocation().licenses(), 1);
      }
    }
    for (License one : held) {
      int used = License.count(state.licensesInUse(), one.name());
      require(used == one.count(), "licences in use", one);
      // The part that a cluster gets of a server's may become less than its jobs hold.
      boolean own = one.name().indexOf('@') < 0;
      require(
          !own || used <= License.count(state.licenses(), one.name()), "licence given twice", one);
    }
    require(held.size() == state.licensesInUse().size(), "licences in use", held);
  }

  /** Each text is kept for exactly the jobs that refer to it. */
  private static void texts(ClusterState state) {
    Map<String, Integer> references = new TreeMap<>();
    for (Job job : state.jobs()) {
      for (TextId id : List.of(job.workload().script(), job.workload().environment())) {
        if (!id.equals(TextId.EMPTY)) {
          references.merge(id.toString(), 1, Integer::sum);
        }
      }
    }
    Map<String, Integer> kept = new TreeMap<>();
    for (JobTextStore.Text text : state.texts().all()) {
      require(text.id().equals(TextId.of(text.content())), "text under another name", text);
      require(kept.put(text.id().toString(), state.texts().uses(text.id())) == null, "twice", text);
    }
    require(kept.equals(references), "texts are not those of the jobs " + references, kept);
  }

  /** Submissions are remembered for exactly as long as something is left of their jobs. */
  private static void requests(ClusterState state) {
    for (SubmissionIndex.Submission request : state.requests().all()) {
      require(!state.records(request.jobId()).isEmpty(), "submission without its job", request);
      Integer known = state.requests().jobOf(request.requestId(), request.uid());
      require(Integer.valueOf(request.jobId()).equals(known), "submission not found", request);
    }
  }

  /** Each answer that is remembered is found. */
  private static void answers(ClusterState state) {
    for (RecentReplies.Entry answer : state.answers().all()) {
      Reply known = state.answers().reply(answer.id(), answer.uid(), answer.kind());
      require(answer.reply().equals(known), "answer not found", answer);
    }
  }

  private static void pending(ClusterState state, Job job, JobState.Pending pending) {
    require(state.pending().contains(job.id()), "pending, not in the queue", job);
    require((pending.hold() == Hold.NONE) == (job.priority() > 0), "hold and priority", job);
    require(
        !pending.dependencyFailed() || !pending.waitingFor().isEmpty(), "failed, at what?", job);
    require(
        job.eligibleTime() == null || pending.waitingFor().isEmpty(), "eligible and waiting", job);
  }

  private static void array(ClusterState state, Job job) {
    switch (job.array()) {
      case ArrayPart.Task task ->
          require(
              state.arrayTasks(task.arrayJobId()).require(task.index()) == job.id(),
              "task not found by its index",
              job);
      case ArrayPart.Waiting waiting -> {
        require(waiting.arrayJobId() == job.id(), "waiting tasks under another id", job);
        require(!waiting.waiting().isEmpty(), "no task waits", job);
        for (int index : state.arrayTasks(job.id()).keys()) {
          require(!waiting.waiting().contains(index), "task has a record and waits", job);
        }
      }
      case null -> {}
    }
  }

  /** Components are remembered together; none runs that its leader does not run with. */
  private static void het(ClusterState state, Job job) {
    HetComponent part = job.het();
    if (part == null) {
      return;
    }
    require(job.id() == part.leader() + part.offset(), "component under another id", job);
    require(state.records(part.leader()).size() == part.size(), "component without others", job);
    Job leader = state.job(part.leader());
    if (leader == null || job.id() == leader.id()) {
      return;
    }
    JobState.Running run = job.state().runningOrSuspended();
    JobState.Running first = leader.state().runningOrSuspended();
    boolean alone = run != null && (first == null || !first.start().equals(run.start()));
    require(!alone, "component runs without its leader", job);
    boolean left = first != null && job.state() instanceof JobState.Pending;
    require(!left, "component waits and its leader runs", job);
  }

  private static void hold(
      Map<String, Map<Integer, NodeShare>> held,
      Job job,
      List<NodeShare> shares,
      List<String> nodes) {
    for (NodeShare share : shares) {
      if (nodes.contains(share.node())) {
        held.computeIfAbsent(share.node(), _ -> new TreeMap<>()).put(job.id(), share);
      }
    }
  }

  /** Whether one of the jobs was suspended: its cores may be others' by now. */
  private static boolean wasResumed(ClusterState state, Set<Integer> jobs) {
    for (int id : jobs) {
      Job job = state.job(id);
      boolean resumed =
          switch (job == null ? null : job.state()) {
            case JobState.Running running -> running.pauses() != null;
            case JobState.Completing completing -> completing.pauses() != null;
            case JobState.Suspended suspended -> suspended.run().pauses() != null;
            case JobState.Pending _, JobState.Ended _ -> false;
            case null -> false;
          };
      if (resumed) {
        return true;
      }
    }
    return false;
  }

  private static void node(
      ClusterState state, NodeRecord node, Map<Integer, NodeShare> held, boolean wasResumed) {
    ClusterSettings.Scheduling rules = state.settings().scheduling();
    Map<Integer, NodeShare> recorded = new TreeMap<>();
    node.shares().forEach(recorded::put);
    require(recorded.equals(held), "shares are not those of the jobs " + held, node);
    int cpus = 0;
    int cores = 0;
    long memory = 0;
    CoreSet all = CoreSet.EMPTY;
    GresLoad gres = new GresLoad(node.config().resources());
    for (NodeShare share : held.values()) {
      cpus += share.cpus();
      cores += share.cores().size();
      memory += share.memoryMib();
      all = all.plus(share.cores());
      gres.hold(share.gres());
    }
    require(node.usedCpus() == cpus, "CPUs in use", node);
    require(node.usedMemoryMib() == memory, "memory in use", node);
    require(node.usedCores().equals(all), "cores in use", node);
    boolean together = wasResumed || CoreUseInvariant.isShared(state, held);
    require(together || cpus <= node.config().effectiveCpus(), "CPUs given twice", node);
    boolean memoryFits = memory <= node.config().realMemoryMib();
    require(!rules.memoryConsumable() || memoryFits, "memory given twice", node);
    // In old journals single CPUs of a core may be different jobs'.
    boolean single = rules.unit() == ClusterSettings.Unit.CPU || wasResumed;
    require(single || together || all.size() == cores, "cores given twice", node);
    String overused = CoreUseInvariant.overused(state, held);
    require(single || overused == null, String.valueOf(overused), node);
    String overheld = gres.overheld();
    require(overheld == null, String.valueOf(overheld), node);
  }

  /**
   * Checks that two states are the same in all that they say.
   *
   * @throws AssertionError if they are not
   */
  @SuppressWarnings("ReferenceEquality") // what is one is the same
  public static void same(ClusterState one, ClusterState other) {
    if (one == other) {
      return;
    }
    List<Object> left = parts(one);
    List<Object> right = parts(other);
    for (int i = 0; i < left.size(); i++) {
      if (!left.get(i).equals(right.get(i))) {
        throw new AssertionError("not the same as " + right.get(i) + ": " + left.get(i));
      }
    }
  }

  private static List<Object> parts(ClusterState state) {
    List<Object> parts = new ArrayList<>();
    parts.add(StateSnapshot.of(state));
    parts.add(state.nodes().values());
    for (Job job : state.jobs()) {
      parts.add(List.of(job.id(), state.arrayTasks(job.baseId())));
      parts.add(List.of("kept of", job.owner(), state.texts().keptFor(job.owner().uid())));
    }
    return parts;
  }

  private static void require(boolean truth, String what, Object about) {
    if (!truth) {
      throw new AssertionError(what + ": " + about);
    }
  }
}

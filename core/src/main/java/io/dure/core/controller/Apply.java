package io.dure.core.controller;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Afterwards;
import io.dure.core.model.Allocation;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.ArrayRequest;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeCondition;
import io.dure.core.model.NodeShare;
import io.dure.core.model.TaskIndices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each event makes of the state. Replay and live operation both come through here. It cannot
 * fail on events that {@link Decider} made for the state; on others (a damaged journal) it throws
 * IllegalStateException naming event and state.
 */
public final class Apply {
  private Apply() {}

  /** The state after the event. */
  public static ClusterState apply(ClusterState state, Event event) {
    return state.edit(parts -> apply(parts, event));
  }

  /** The state after all the events. */
  public static ClusterState applyAll(ClusterState state, List<Event> events) {
    if (events.isEmpty()) {
      return state;
    }
    return state.edit(parts -> {
      for (Event event : events) {
        apply(parts, event);
      }
    });
  }

  private static void apply(ClusterState.Parts parts, Event event) {
    switch (event) {
      case Event.Configured e -> configured(parts, e);
      case Event.ControllerStarted e -> started(parts, e.at());
      case Event.JobSubmitted e -> submitted(parts, e);
      case Event.JobHeld e -> held(parts, e.jobId(), e.hold());
      case Event.JobReleased e -> released(parts, e);
      case Event.JobUpdated e -> updated(parts, e);
      case Event.JobOutputChanged e -> outputChanged(parts, e);
      case Event.ArrayThrottled e -> throttled(parts, e);
      case Event.ArrayTaskSplit e -> split(parts, e);
      case Event.DependencyChanged e -> dependency(parts, e);
      case Event.JobEligible e -> parts.put(eligible(job(parts, e.jobId(), event), e.at()));
      case Event.JobStarted e -> jobStarted(parts, e);
      case Event.JobLaunched e -> launched(parts, e);
      case Event.JobWarned e -> warned(parts, e);
      case Event.JobEnding e -> ending(parts, e);
      case Event.JobExitKnown e -> exitKnown(parts, e);
      case Event.RequeueRevoked e -> requeueRevoked(parts, e);
      case Event.NodeReleased e -> nodeReleased(parts, e);
      case Event.JobFinished e -> finished(parts, e);
      case Event.JobRequeued e -> requeued(parts, e);
      case Event.JobDropped e -> dropped(parts, e);
      case Event.JobsPurged e -> e.jobIds().forEach(parts::remove);
      case Event.NodeRegistered e ->
          parts.put(node(parts, e.node(), event).registered(e.facts(), e.at()));
      case Event.NodeSilent e -> parts.put(node(parts, e.node(), event).silent(e.since()));
      case Event.NodeConditionChanged e ->
          parts.put(node(parts, e.node(), event).withCondition(e.condition()));
      case Event.NodeDefined e -> defined(parts, e);
      case Event.NodeDeleted e -> deleted(parts, e.node());
      case Event.PartitionDefined e -> partitionDefined(parts, e.partition());
      case Event.PartitionDeleted e ->
          parts.partitions =
              parts.partitions.stream().filter(p -> !p.name().equals(e.name())).toList();
    }
  }

  private static Job job(ClusterState.Parts parts, int id, Event event) {
    Job job = parts.job(id);
    if (job == null) {
      throw new IllegalStateException("no job for " + event);
    }
    return job;
  }

  private static NodeRecord node(ClusterState.Parts parts, String name, Event event) {
    NodeRecord node = parts.node(name);
    if (node == null) {
      throw new IllegalStateException("no node for " + event);
    }
    return node;
  }

  private static <S extends JobState> S state(Job job, Class<S> expected, Event event) {
    if (!expected.isInstance(job.state())) {
      throw new IllegalStateException(event + " in state " + job.state());
    }
    return expected.cast(job.state());
  }

  private static void configured(ClusterState.Parts parts, Event.Configured e) {
    List<NodeRecord> nodes = new ArrayList<>();
    for (NodeConfig config : e.config().nodes()) {
      NodeRecord known = parts.node(config.name());
      nodes.add(
          known == null
              ? NodeRecord.fresh(config, initialCondition(config, e.at()), e.at(), false)
              : known.withConfig(config));
    }
    for (NodeRecord known : parts.nodes.values()) {
      if (known.dynamic() && e.config().node(known.name()) == null) {
        nodes.add(known);
      }
    }
    parts.config = e.config();
    parts.partitions = e.config().partitions();
    parts.replaceNodes(nodes);
    parts.nextJobId = Math.max(parts.nextJobId, (int) e.config().settings().jobs().firstJobId());
  }

  private static NodeCondition initialCondition(NodeConfig config, Instant at) {
    String reason = config.reason().isEmpty() ? null : config.reason();
    return switch (config.state()) {
      case DOWN -> new NodeCondition(true, false, false, reason, 0, at);
      case DRAIN -> new NodeCondition(false, true, false, reason, 0, at);
      case FAIL, FAILING -> new NodeCondition(false, false, true, reason, 0, at);
      case UNKNOWN, IDLE, FUTURE, CLOUD, EXTERNAL -> NodeCondition.GOOD;
    };
  }

  private static void started(ClusterState.Parts parts, Instant at) {
    for (NodeRecord node : parts.nodes.values()) {
      if (node.silentSince() == null) {
        parts.put(node.silent(at));
      }
    }
  }

  private static void submitted(ClusterState.Parts parts, Event.JobSubmitted e) {
    JobState state = new JobState.Pending(e.hold(), null, e.waitingFor(), false, false);
    parts.put(
        new Job(
            e.jobId(),
            arrayOf(parts, e),
            e.owner(),
            e.spec(),
            e.batch(),
            e.at(),
            null,
            e.priority(),
            0,
            0,
            state));
    parts.nextJobId = Math.max(parts.nextJobId, e.jobId() + 1);
  }

  private static @Nullable ArrayPart arrayOf(ClusterState.Parts parts, Event.JobSubmitted e) {
    String text = e.spec().arrayTasks();
    if (text == null) {
      return null;
    }
    try {
      ArrayRequest request = ArrayRequest.parse(text, Integer.MAX_VALUE);
      TaskIndices indices = request.indices();
      TaskIndices rest = indices.without(indices.first());
      int step = rest.isEmpty() ? 1 : rest.first() - indices.first();
      ArrayPart.Shape shape =
          new ArrayPart.Shape(indices.size(), indices.first(), indices.last(), step);
      return new ArrayPart.Waiting(e.jobId(), shape, indices, request.throttle());
    } catch (ArrayRequest.InvalidArrayException invalid) {
      throw new IllegalStateException("array of " + e + " in " + parts.nextJobId, invalid);
    }
  }

  private static void held(ClusterState.Parts parts, int jobId, Hold hold) {
    Job job = job(parts, jobId, new Event.JobHeld(jobId, hold));
    if (job.state() instanceof JobState.Pending p) {
      parts.put(
          withPriority(
              job.withState(
                  new JobState.Pending(
                      hold, p.notBefore(), p.waitingFor(), p.dependencyFailed(), p.requeued())),
              0));
    }
  }

  private static void released(ClusterState.Parts parts, Event.JobReleased e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Pending p = state(job, JobState.Pending.class, e);
    parts.put(
        withPriority(
            job.withState(
                new JobState.Pending(
                    Hold.NONE, p.notBefore(), p.waitingFor(), p.dependencyFailed(), p.requeued())),
            e.priority()));
  }

  private static void updated(ClusterState.Parts parts, Event.JobUpdated e) {
    Job job = job(parts, e.jobId(), e).withSpec(e.spec(), e.priority());
    if (job.state() instanceof JobState.Running r) {
      job =
          job.withState(
              new JobState.Running(r.allocation(), r.start(), e.end(), r.launched(), r.warned()));
    }
    parts.put(job);
  }

  private static void outputChanged(ClusterState.Parts parts, Event.JobOutputChanged e) {
    Job job = job(parts, e.jobId(), e);
    parts.put(job.withBatch(job.batch().withOutput(e.summary())));
  }

  private static void throttled(ClusterState.Parts parts, Event.ArrayThrottled e) {
    Job job = job(parts, e.arrayJobId(), e);
    if (job.array() instanceof ArrayPart.Waiting w) {
      parts.put(
          job.withArray(
              job.id(),
              new ArrayPart.Waiting(w.arrayJobId(), w.shape(), w.waiting(), e.throttle())));
    }
  }

  private static void split(ClusterState.Parts parts, Event.ArrayTaskSplit e) {
    Job base = job(parts, e.arrayJobId(), e);
    if (!(base.array() instanceof ArrayPart.Waiting w) || !w.waiting().contains(e.taskIndex())) {
      throw new IllegalStateException(e + " in " + base.array());
    }
    TaskIndices left = w.waiting().without(e.taskIndex());
    if (!left.isEmpty()) {
      parts.put(
          base.withArray(
              base.id(), new ArrayPart.Waiting(w.arrayJobId(), w.shape(), left, w.throttle())));
    }
    parts.put(
        base.withArray(
            e.taskJobId(),
            new ArrayPart.Task(w.arrayJobId(), w.shape(), e.taskIndex(), w.throttle())));
    parts.nextJobId = Math.max(parts.nextJobId, e.taskJobId() + 1);
  }

  private static void dependency(ClusterState.Parts parts, Event.DependencyChanged e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Pending p = state(job, JobState.Pending.class, e);
    parts.put(
        job.withState(
            new JobState.Pending(
                p.hold(), p.notBefore(), e.waitingFor(), e.failed(), p.requeued())));
  }

  private static Job eligible(Job job, @Nullable Instant at) {
    return new Job(
        job.id(),
        job.array(),
        job.owner(),
        job.spec(),
        job.batch(),
        job.submitTime(),
        at,
        job.priority(),
        job.restarts(),
        job.run(),
        job.state());
  }

  private static Job withPriority(Job job, long priority) {
    return job.withSpec(job.spec(), priority);
  }

  private static void jobStarted(ClusterState.Parts parts, Event.JobStarted e) {
    Job job = job(parts, e.jobId(), e);
    state(job, JobState.Pending.class, e);
    parts.put(
        job.withRun(e.run())
            .withState(new JobState.Running(e.allocation(), e.at(), e.end(), false, false)));
    for (NodeShare share : e.allocation().shares()) {
      parts.put(node(parts, share.node(), e).holding(e.jobId(), share));
    }
  }

  private static void launched(ClusterState.Parts parts, Event.JobLaunched e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Running r = state(job, JobState.Running.class, e);
    parts.put(
        job.withState(new JobState.Running(r.allocation(), r.start(), r.end(), true, r.warned())));
  }

  private static void warned(ClusterState.Parts parts, Event.JobWarned e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Running r = state(job, JobState.Running.class, e);
    parts.put(
        job.withState(
            new JobState.Running(r.allocation(), r.start(), r.end(), r.launched(), true)));
  }

  private static void ending(ClusterState.Parts parts, Event.JobEnding e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Running r = state(job, JobState.Running.class, e);
    parts.put(
        job.withState(
            new JobState.Completing(
                r.allocation(), r.start(), e.at(), e.outcome(), e.nodesLeft(), e.afterwards())));
    for (String name : r.allocation().nodes()) {
      if (!e.nodesLeft().contains(name)) {
        release(parts, e.jobId(), name, e.at());
      }
    }
  }

  private static void release(ClusterState.Parts parts, int jobId, String name, Instant at) {
    NodeRecord node = parts.node(name);
    if (node != null) {
      parts.put(node.releasing(jobId, at));
    }
  }

  private static void exitKnown(ClusterState.Parts parts, Event.JobExitKnown e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Completing c = state(job, JobState.Completing.class, e);
    parts.put(
        job.withState(
            new JobState.Completing(
                c.allocation(),
                c.start(),
                c.end(),
                c.outcome().withExit(e.exit()),
                c.nodesLeft(),
                c.afterwards())));
  }

  private static void requeueRevoked(ClusterState.Parts parts, Event.RequeueRevoked e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Completing c = state(job, JobState.Completing.class, e);
    parts.put(
        job.withState(
            new JobState.Completing(
                c.allocation(),
                c.start(),
                c.end(),
                e.outcome().withExit(c.outcome().exit()),
                c.nodesLeft(),
                Afterwards.END)));
  }

  private static void nodeReleased(ClusterState.Parts parts, Event.NodeReleased e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Completing c = state(job, JobState.Completing.class, e);
    List<String> left = c.nodesLeft().stream().filter(n -> !n.equals(e.node())).toList();
    parts.put(
        job.withState(
            new JobState.Completing(
                c.allocation(), c.start(), c.end(), c.outcome(), left, c.afterwards())));
    release(parts, e.jobId(), e.node(), e.at());
  }

  private static void finished(ClusterState.Parts parts, Event.JobFinished e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Completing c = state(job, JobState.Completing.class, e);
    parts.put(job.withState(new JobState.Ended(c.allocation(), c.start(), c.end(), c.outcome())));
  }

  private static void requeued(ClusterState.Parts parts, Event.JobRequeued e) {
    Job job = job(parts, e.jobId(), e);
    JobState.Pending next = new JobState.Pending(e.hold(), e.notBefore(), List.of(), false, true);
    parts.put(
        new Job(
            job.id(),
            job.array(),
            job.owner(),
            job.spec(),
            job.batch(),
            job.submitTime(),
            null,
            e.priority(),
            job.restarts() + (e.countsAsRestart() ? 1 : 0),
            job.run(),
            next));
  }

  private static void dropped(ClusterState.Parts parts, Event.JobDropped e) {
    Job job = job(parts, e.jobId(), e);
    state(job, JobState.Pending.class, e);
    parts.put(job.withState(new JobState.Ended((Allocation) null, null, e.at(), e.outcome())));
  }

  private static void defined(ClusterState.Parts parts, Event.NodeDefined e) {
    NodeRecord known = parts.node(e.node().name());
    parts.put(
        known == null
            ? NodeRecord.fresh(e.node(), initialCondition(e.node(), e.at()), e.at(), e.dynamic())
            : known.withConfig(e.node()));
  }

  private static void deleted(ClusterState.Parts parts, String name) {
    parts.removeNode(name);
    parts.partitions = parts.partitions.stream().map(p -> p.without(name)).toList();
  }

  private static void partitionDefined(ClusterState.Parts parts, PartitionConfig partition) {
    List<PartitionConfig> next = new ArrayList<>();
    boolean replaced = false;
    for (PartitionConfig known : parts.partitions) {
      boolean same = known.name().equals(partition.name());
      replaced |= same;
      next.add(same ? partition : partition.isDefault() ? known.notDefault() : known);
    }
    if (!replaced) {
      next.add(partition);
    }
    parts.partitions = List.copyOf(next);
  }
}

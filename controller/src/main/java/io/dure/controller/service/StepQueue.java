package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepSpec;
import io.dure.placement.step.StepPlacer;
import io.dure.protocol.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The steps that wait for room in their jobs, in the order in which they came. When something of a
 * job becomes free, the first of them that fits is the one to ask; until its step is there, or it
 * was not heard of for a while, those behind it wait. Any thread.
 */
final class StepQueue {
  /** After an answer a caller that is alive asks again, or for its step, within so long. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** A step that waits: how many calls do so for it now, and when the last of them left. */
  private static final class Place {
    private int calls;
    private Instant left = Instant.EPOCH;
    private boolean served;

    /** The number of the next step when it was served. */
    private int next;

    /** Whether it keeps its place. */
    boolean isAlive(Instant now) {
      return calls > 0 || now.isBefore(left.plus(GRACE));
    }

    /** Whether others wait for it: it waits, or was served and nothing has begun since. */
    boolean isFirst(RunSteps steps, Instant now) {
      return calls > 0 || served && next == steps.next() && isAlive(now);
    }

    /** Whether it still waits, as far as its calls tell: one that was served may be over by now. */
    boolean isListed(RunSteps steps, Instant now) {
      return calls > 0 || isAlive(now) && (!served || next == steps.next());
    }
  }

  /** Steps of a job, and which of them is to ask. */
  private static final class Line {
    private final Map<StepSpec, Place> places = new LinkedHashMap<>();
    private @Nullable Job seen;
    private @Nullable StepSpec chosen;

    /** Without the steps of calls that are gone; whether that leaves none. */
    boolean purge(Instant now) {
      places.values().removeIf(place -> !place.isAlive(now));
      return places.isEmpty();
    }
  }

  private final Map<Integer, Line> lines = new TreeMap<>();

  /** A call begins to wait for a step, at the end of the line unless the step has a place. */
  synchronized void join(int jobId, StepSpec spec, Instant now) {
    lines.values().removeIf(line -> line.purge(now));
    Line line = lines.computeIfAbsent(jobId, _ -> new Line());
    Place place = line.places.computeIfAbsent(spec, _ -> new Place());
    place.calls++;
    place.served = false;
    line.seen = line.chosen == null ? null : line.seen;
  }

  /** A call waits no longer; the step keeps its place for a moment. */
  synchronized void leave(int jobId, StepSpec spec, boolean served, Instant now) {
    Line line = lines.get(jobId);
    Place place = line == null ? null : line.places.get(spec);
    if (place != null) {
      place.calls--;
      place.left = now;
      place.served = served;
    }
  }

  /** Whether a step that waits should ask for what it needs now. */
  @SuppressWarnings("ReferenceEquality") // states share what did not change; comparing is slow
  synchronized boolean mayAsk(ClusterState state, int jobId, StepSpec spec, Instant now) {
    Job job = state.job(jobId);
    Line line = lines.get(jobId);
    if (job != null && job.state() instanceof JobState.Suspended) {
      return false; // whether there is room is seen when the job goes on
    }
    if (line == null || job == null || !(job.state() instanceof JobState.Running running)) {
      return true; // it is told what has become of the job
    }
    RunSteps steps = job.runSteps();
    Place first = line.chosen == null ? null : line.places.get(line.chosen);
    boolean gone = line.chosen != null && (first == null || !first.isFirst(steps, now));
    if (line.seen != job || gone) {
      line.purge(now);
      line.seen = job;
      boolean packs = state.settings().scheduling().packsNodes();
      line.chosen = first(line, running.allocation(), steps, packs, now);
    }
    Place own = line.places.get(spec);
    if (own != null) {
      own.next = steps.next();
    }
    return spec.equals(line.chosen);
  }

  private static @Nullable StepSpec first(
      Line line, Allocation held, RunSteps steps, boolean packs, Instant now) {
    Set<StepSpec> begun = begun(steps);
    for (Map.Entry<StepSpec, Place> one : line.places.entrySet()) {
      StepSpec spec = one.getKey();
      if (one.getValue().isFirst(steps, now)
          && !begun.contains(spec)
          && !(StepPlacer.place(held, steps, spec.placed(packs))
              instanceof StepPlacer.Answer.Busy)) {
        return spec;
      }
    }
    return null;
  }

  /** The steps that wait, of all jobs or of these, each job's in their order. */
  List<Response.WaitingStep> waiting(ClusterState state, List<Integer> jobIds, Instant now) {
    List<Response.WaitingStep> waiting = new ArrayList<>();
    for (Map.Entry<Job, List<StepSpec>> line : listed(state, new HashSet<>(jobIds), now)) {
      Job job = line.getKey();
      Set<StepSpec> begun = begun(job.runSteps());
      for (StepSpec spec : line.getValue()) {
        if (!begun.contains(spec)) {
          waiting.add(
              new Response.WaitingStep(job.id(), spec.tasks(), spec.host(), spec.processId()));
        }
      }
    }
    return List.copyOf(waiting);
  }

  /**
   * The steps of jobs that have begun, by their calls alone. No more is done here: the thread that
   * owns the state waits for the lock, and looking into what the steps ask for takes long.
   */
  private synchronized List<Map.Entry<Job, List<StepSpec>>> listed(
      ClusterState state, Set<Integer> jobIds, Instant now) {
    List<Map.Entry<Job, List<StepSpec>>> listed = new ArrayList<>();
    for (Map.Entry<Integer, Line> line : lines.entrySet()) {
      boolean meant = jobIds.isEmpty() || jobIds.contains(line.getKey());
      Job job = meant ? state.job(line.getKey()) : null;
      if (job == null || job.state().runningOrSuspended() == null) {
        continue;
      }
      List<StepSpec> specs = new ArrayList<>();
      for (Map.Entry<StepSpec, Place> one : line.getValue().places.entrySet()) {
        if (one.getValue().isListed(job.runSteps(), now)) {
          specs.add(one.getKey());
        }
      }
      listed.add(Map.entry(job, specs));
    }
    return listed;
  }

  private static Set<StepSpec> begun(RunSteps steps) {
    return steps.live().stream().map(LaunchedStep::spec).collect(Collectors.toSet());
  }
}

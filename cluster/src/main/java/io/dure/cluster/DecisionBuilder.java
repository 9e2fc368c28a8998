package io.dure.cluster;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.placement.admission.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A decision being made: each event is applied at once, so that later rules of the same decision
 * see its consequences. Lives within one decision.
 */
public final class DecisionBuilder {
  private static final int LONG = 50_000;

  private final ClusterState before;
  private final Instant now;
  private final List<Event> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final TreeSet<String> stirred = new TreeSet<>();
  private ClusterState state;

  public DecisionBuilder(ClusterState state, Instant now) {
    this.before = state;
    this.state = state;
    this.now = now;
  }

  public ClusterState state() {
    return state;
  }

  /** The state that the decision began with. */
  public ClusterState before() {
    return before;
  }

  public Instant now() {
    return now;
  }

  public void emit(Event event) {
    events.add(event);
    state = EventApplier.apply(state, event);
    stir(event);
  }

  /** Notes where jobs may now have to wait for their turn, or may go on. */
  private void stir(Event event) {
    boolean turns = state.settings().preempt().timeSlice() != null;
    if (!turns && state.slices().turns().isEmpty()) {
      return;
    }
    if (event instanceof Event.Configured
        || event instanceof Event.ControllerStarted
        || event instanceof Event.PartitionDefined) {
      state.active().values().forEach(this::stir);
    } else if (event instanceof Event.NodeReleased released) {
      stirred.add(released.node());
    } else if (event instanceof Event.AllocationShrunk shrunk) {
      stirred.addAll(HostList.expand(shrunk.nodes()));
    } else {
      Integer id = moved(event);
      Job job = id == null ? null : state.active().get(id);
      if (job != null) {
        stir(job);
      }
    }
  }

  private void stir(Job job) {
    Allocation held = job.state().allocated();
    if (held != null) {
      stirred.addAll(held.nodes());
    }
  }

  /** The job that began or ceased to run on its cores, null for none. */
  private static @Nullable Integer moved(Event event) {
    if (event instanceof Event.JobStarted e) {
      return e.jobId();
    }
    if (event instanceof Event.JobConfigured e) {
      return e.jobId();
    }
    if (event instanceof Event.JobEnding e) {
      return e.jobId();
    }
    if (event instanceof Event.JobSuspended e) {
      return e.jobId();
    }
    return event instanceof Event.JobResumed e ? e.jobId() : null;
  }

  /** Where something moved since this was asked last. */
  public List<String> stirred() {
    List<String> nodes = List.copyOf(stirred);
    stirred.clear();
    return nodes;
  }

  /** A draft that goes on from here; this one knows nothing of it. */
  public DecisionBuilder trial() {
    return new DecisionBuilder(state, now);
  }

  /** What was tried stands. */
  public void take(DecisionBuilder trial) {
    events.addAll(trial.events);
    effects.addAll(trial.effects);
    stirred.addAll(trial.stirred);
    state = trial.state;
  }

  /** Whether what can wait for the next decision should: this one is stored in one piece. */
  public boolean isLong() {
    return events.size() >= LONG;
  }

  public void effect(Effect effect) {
    effects.add(effect);
  }

  /** What has been drafted that is to be stored, in order. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** Whether nothing has been drafted that is to be stored. */
  public boolean isEmpty() {
    return events.isEmpty();
  }

  /** What was drafted stands. */
  public Reply done() {
    return new Reply.Done();
  }

  /** What was drafted stands, and the caller is told no about the rest. */
  public Reply partly(ErrorCode code) {
    return new Reply.Refused(code, "");
  }

  /** Nothing of what was drafted stands: a refusal in Slurm's words. */
  public Reply refuse(ErrorCode code) {
    return refuse(code, "");
  }

  /** Nothing of what was drafted stands: a refusal in Slurm's words and some of our own. */
  public Reply refuse(ErrorCode code, String detail) {
    events.clear();
    effects.clear();
    stirred.clear();
    state = before;
    return new Reply.Refused(code, detail);
  }

  /** Nothing of what was drafted stands, as admission has found. */
  public Reply refuse(Refusal refusal) {
    return refuse(refusal.code(), refusal.detail());
  }

  /** What was drafted is decided. */
  public Decision decision(Reply reply) {
    return new Decision(state, List.copyOf(events), List.copyOf(effects), reply);
  }
}

package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.time.Instant;
import java.util.List;

/**
 * The state of a controller without its journal, clock and nodes: commands are decided by the
 * cluster's rules and applied at once, effects are dropped. The only way for programs other than
 * the controller to have commands decided. One thread.
 */
public final class InMemoryController {
  /** The rules it decides by. */
  public static final DecisionFunction RULES = CommandDecider::decide;

  private ClusterState state;
  private Instant now;

  /** Goes on from a state at a time. */
  public InMemoryController(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /** The cluster as it is by now. */
  public ClusterState state() {
    return state;
  }

  /** The time at which commands are decided. */
  public Instant now() {
    return now;
  }

  /** Sets that time. */
  public void setTime(Instant next) {
    now = next;
  }

  /** Replaces the state. */
  public void replaceState(ClusterState next) {
    state = next;
  }

  /** Decides a command and applies its events. */
  public Reply decide(Command command, Caller caller) {
    Decision decision = RULES.decide(state, command, caller, now);
    state = decision.after();
    return decision.reply();
  }

  /** Applies events that no command led to. */
  public void apply(Event... events) {
    apply(List.of(events));
  }

  /** Applies events that no command led to. */
  public void apply(List<Event> events) {
    state = EventApplier.applyAll(state, events);
  }
}

package io.dure.core.controller.decide;

import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A decision being made: each event is applied at once, so that later rules of the same decision
 * see its consequences. Lives within one call of {@link Decider#decide}.
 */
final class Draft {
  private static final int LONG = 50_000;

  private final Instant now;
  private final List<Event> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private ClusterState state;

  Draft(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  ClusterState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  void emit(Event event) {
    events.add(event);
    state = Apply.apply(state, event);
  }

  /** A draft that goes on from here; this one knows nothing of it. */
  Draft trial() {
    return new Draft(state, now);
  }

  /** What was tried stands. */
  void take(Draft trial) {
    events.addAll(trial.events);
    effects.addAll(trial.effects);
    state = trial.state;
  }

  /** Whether what can wait for the next decision should: this one is stored in one piece. */
  boolean isLong() {
    return events.size() >= LONG;
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  Decision done() {
    return decide(new Reply.Done());
  }

  Decision decide(Reply reply) {
    return new Decision(List.copyOf(events), List.copyOf(effects), reply);
  }

  /** What was drafted stands, and the caller is told no about the rest. */
  Decision partly(ErrorCode code) {
    return decide(new Reply.Refused(code, ""));
  }
}

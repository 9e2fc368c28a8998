package io.dure.controller.loop;

import io.dure.core.controller.Apply;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.decide.Decider;
import io.dure.core.model.ErrorCode;
import io.dure.host.log.Log;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * What the state's owner does with the commands that wait: decides them together, has their events
 * stored with one write, and lets nothing of them be seen before that is durable. One thread calls
 * {@link #process}; any may look at {@link #published}.
 */
public final class StateKeeper {
  private final EventStore store;
  private final InstantSource clock;
  private final Rules rules;
  private final StateLoop.Consequences consequences;
  private final Log log;
  private ClusterState state;
  private volatile ClusterState published;

  /** A command, who sent it, and who waits for the reply. */
  public record Work(Command command, Caller caller, StateLoop.Asker asker) {}

  private record Answer(StateLoop.Asker to, Reply reply) {}

  /** The rules of the cluster; functions. */
  public interface Rules {
    /** Those of the core. */
    Rules CORE =
        new Rules() {
          @Override
          public Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
            return Decider.decide(state, command, caller, now);
          }

          @Override
          public ClusterState apply(ClusterState state, List<Event> events) {
            return Apply.applyAll(state, events);
          }
        };

    /** What a command leads to. */
    Decision decide(ClusterState state, Command command, Caller caller, Instant now);

    /** What events make of the state. */
    ClusterState apply(ClusterState state, List<Event> events);
  }

  /** Goes on from a recovered state. */
  public StateKeeper(
      ClusterState recovered,
      EventStore store,
      InstantSource clock,
      Rules rules,
      StateLoop.Consequences consequences,
      Log log) {
    this.state = recovered;
    this.published = recovered;
    this.store = store;
    this.clock = clock;
    this.rules = rules;
    this.consequences = consequences;
    this.log = log;
  }

  /** The newest durable state. */
  public ClusterState published() {
    return published;
  }

  /** Decides the commands in order and has what comes of them stored. */
  public void process(List<Work> batch) {
    List<Event> events = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    List<Answer> answers = new ArrayList<>(batch.size());
    for (Work work : batch) {
      Decision decision = decide(work);
      state = rules.apply(state, decision.events());
      events.addAll(decision.events());
      effects.addAll(decision.effects());
      answers.add(new Answer(work.asker(), decision.reply()));
    }
    ClusterState after = state;
    store.append(
        events,
        failure -> {
          try {
            if (failure == null) {
              durable(after, effects, answers);
            } else {
              answers.forEach(answer -> answer.to().failed(failure));
            }
          } catch (RuntimeException | Error bug) {
            log.error("bug after storing events: the controller ends", bug);
            consequences.stopped(bug);
            throw bug;
          }
        });
    store.offerSnapshot(after);
  }

  /**
   * Deciding changes nothing, so a bug in a rule costs the one command that met it, not the
   * cluster: it is refused and the bug logged.
   */
  private Decision decide(Work work) {
    try {
      return rules.decide(state, work.command(), work.caller(), clock.instant());
    } catch (RuntimeException bug) {
      log.error("bug while deciding on " + work.command().getClass().getSimpleName(), bug);
      return Decision.refuse(ErrorCode.BAD_INPUT, "internal error, see the controller's log");
    }
  }

  private void durable(ClusterState after, List<Effect> effects, List<Answer> answers) {
    published = after;
    consequences.published(after);
    for (Answer answer : answers) {
      answer.to().decided(answer.reply());
    }
    for (Effect effect : effects) {
      consequences.perform(effect, after);
    }
  }
}

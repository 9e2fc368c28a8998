package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/**
 * What the state's owner does with the commands that wait: decides them together, has their events
 * stored with one write, or a few if they are long, and lets nothing of them be seen before that is
 * durable, but by the scheduler. One thread calls {@link #process}; any may look at the states.
 */
public final class CommandBatchProcessor {
  private final EventStore store;
  private final InstantSource clock;
  private final DecisionFunction rules;
  private final DecisionListener consequences;
  private final Logger log;
  private ClusterState state;
  private Round round = new Round();
  private volatile ClusterState decided;
  private volatile ClusterState published;

  /** A command, its caller, and the listener for the reply. */
  public record Work(Command command, Caller caller, ReplyListener asker) {}

  private record Answer(ReplyListener to, Reply reply) {}

  /** What is stored with one write, and what follows from it. */
  private static final class Round {
    final EventBatch events = new EventBatch();
    final List<Effect> effects = new ArrayList<>();
    final List<Answer> answers = new ArrayList<>();
  }

  /** Goes on from a recovered state. */
  public CommandBatchProcessor(
      ClusterState recovered,
      EventStore store,
      InstantSource clock,
      DecisionFunction rules,
      DecisionListener consequences,
      Logger log) {
    this.state = recovered;
    this.decided = recovered;
    this.published = recovered;
    this.store = store;
    this.clock = clock;
    this.rules = rules;
    this.consequences = consequences;
    this.log = log;
  }

  /** The newest state, which may never become durable. */
  public ClusterState decided() {
    return decided;
  }

  /** The newest durable state. */
  public ClusterState published() {
    return published;
  }

  /** Decides the commands in order and has what comes of them stored. */
  public void process(List<Work> batch) {
    decide(batch);
    store();
    announce();
  }

  /**
   * Decides the commands in order; what comes of them is stored by {@link #store} at the latest.
   */
  void decide(List<Work> batch) {
    for (Work work : batch) {
      if (round.events.isFull()) {
        store();
      }
      Decision decision = decide(work, round.events);
      state = decision.after();
      round.effects.addAll(decision.effects());
      round.answers.add(new Answer(work.asker(), decision.reply()));
    }
  }

  /** Lets the newest state be seen by what can only lead to more decisions. */
  void announce() {
    decided = state;
    consequences.decided(state);
  }

  /** Has stored what was decided and is not yet. */
  void store() {
    ClusterState after = state;
    Round stored = round;
    round = new Round();
    store.append(
        stored.events,
        failure -> {
          try {
            if (failure == null) {
              durable(after, stored);
            } else {
              stored.answers.forEach(answer -> answer.to().failed(failure));
            }
          } catch (RuntimeException | Error bug) {
            log.error("publishing stored events failed, a bug in Dure: slurmctld exits", bug);
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
  private Decision decide(Work work, EventBatch events) {
    try {
      Instant now = clock.instant();
      Decision decision = rules.decide(state, work.command(), work.caller(), now);
      long bytes = events.add(now, decision.events());
      return bytes > EventBatch.MOST_BYTES ? tooMuch(work.command(), bytes) : decision;
    } catch (RuntimeException bug) {
      log.error(
          work.command().getClass().getSimpleName() + " failed, a bug in Dure: it was rejected",
          bug);
      return Decision.refuse(
          state, ErrorCode.BAD_INPUT, "internal error, see the log of slurmctld");
    }
  }

  /** Half a decision must never be stored, so one that is too long for one piece is none. */
  private Decision tooMuch(Command command, long bytes) {
    String detail =
        "it would change too much at once, "
            + bytes
            + " bytes of at most "
            + EventBatch.MOST_BYTES
            + ": do it in parts";
    log.error(command.getClass().getSimpleName() + " was rejected: " + detail);
    return Decision.refuse(state, ErrorCode.CANNOT_STORE, detail);
  }

  private void durable(ClusterState after, Round round) {
    published = after;
    consequences.published(after);
    consequences.happened(round.events.events(), after);
    for (Answer answer : round.answers) {
      answer.to().decided(answer.reply());
    }
    for (Effect effect : round.effects) {
      consequences.perform(effect, after);
    }
  }
}

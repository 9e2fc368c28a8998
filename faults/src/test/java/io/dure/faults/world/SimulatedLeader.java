package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.decide.CommandDecider;
import io.dure.controller.loop.CommandBatchProcessor;
import io.dure.controller.loop.DecisionListener;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.PassPacing;
import io.dure.controller.loop.ReplyListener;
import io.dure.controller.loop.StateAccess;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.node.NodeProtocol;
import io.dure.controller.service.StateWaiters;
import io.dure.controller.service.StepService;
import io.dure.controller.statistics.RequestCounts;
import io.dure.controller.view.PendingVerdicts;
import io.dure.faults.books.SimulatedAccounting;
import io.dure.faults.step.CheapSignature;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What only a controller that leads does, from one beginning to its end: decides, schedules, keeps
 * the node daemons. The state's owner and the talk with nodes are the product's own; here is what
 * its threads do.
 */
final class SimulatedLeader implements StateAccess {
  private static final long FULL_CHECK = 10_000;
  private static final Reply ELSEWHERE =
      new Reply.Refused(ErrorCode.IN_STANDBY, "the controller is stopping");

  final SimulatedControllerHost machine;
  private final SimulatedWorld world;
  private final CommandBatchProcessor keeper;
  private final NodeProtocol.NodeServices wiring;
  private final StepService steps;
  private final SimulatedSchedulerLoop passes;
  private final Storage storage;
  private final SimulatedAccounting accounting;
  private final List<CommandBatchProcessor.Work> inbox = new ArrayList<>();
  private final Set<Waiting> waiting = new LinkedHashSet<>();
  private boolean deciding;
  private boolean ready;
  private boolean closed;
  private @Nullable ClusterState last;

  /** What keeps the decisions. */
  interface Storage {
    /** Takes events. */
    EventStore store();

    /** Whether there is room for more. */
    boolean accepting();

    /** Something was handed over. */
    void handedOver();
  }

  /** Begins with a state; nothing happens before {@link #begin}. */
  SimulatedLeader(SimulatedControllerHost machine, ClusterState state, Storage storage) {
    this.machine = machine;
    this.world = machine.world;
    this.storage = storage;
    this.accounting = machine.accounting();
    CheapSignature signer = new CheapSignature(++world.leaderships);
    this.keeper =
        new CommandBatchProcessor(
            world.wiring.recovered(state),
            storage.store(),
            machine.clock,
            world.witness.rules(world.wiring.rules(CommandDecider::decide)),
            new Consequences(),
            machine.log);
    this.wiring =
        new NodeProtocol.NodeServices(
            this,
            new NodeLinks(),
            new RequestCounts(),
            machine.clock,
            () -> world.time.micros() * 1000,
            work -> machine.later(10, "aside", work),
            machine.log,
            signer.publicKey());
    this.steps =
        new StepService(
            new StepService.Source(this::published, () -> PendingVerdicts.NONE, machine.clock),
            new StateWaiters(),
            signer::sign);
    this.passes = new SimulatedSchedulerLoop(this, keeper);
  }

  /**
   * Does what comes before all else, then serves and schedules.
   *
   * @param done told once it is done
   */
  void begin(Command.InternalCommand first, Runnable done) {
    submit(
        first,
        new Caller.Self(),
        new ReplyListener() {
          @Override
          public void decided(Reply reply) {
            if (reply instanceof Reply.Done && !closed) {
              done.run();
              ready = true;
              later(0, "first pass", passes::pass);
            }
          }

          @Override
          public void failed(Throwable failure) {
            // It was over before it began.
          }
        });
  }

  /** Whether it takes calls. */
  boolean serving() {
    return ready && !closed;
  }

  NodeProtocol.NodeServices wiring() {
    return wiring;
  }

  StepService steps() {
    return steps;
  }

  /** Does something while this leadership lasts. */
  void later(long micros, String what, Runnable action) {
    machine.later(
        micros,
        what,
        () -> {
          if (!closed) {
            action.run();
          }
        });
  }

  long micros() {
    return machine.time.micros();
  }

  InstantSource clock() {
    return machine.clock;
  }

  @Override
  public ClusterState published() {
    return keeper.published();
  }

  @Override
  public void submit(Command command, Caller caller, ReplyListener asker) {
    if (closed) {
      asker.decided(ELSEWHERE);
      return;
    }
    Waiting mine = new Waiting(asker);
    waiting.add(mine);
    inbox.add(new CommandBatchProcessor.Work(command, caller, mine));
    if (!deciding) {
      deciding = true;
      later(20L + machine.random.nextInt(200), "decide", this::decide);
    }
  }

  private void decide() {
    if (!storage.accepting()) {
      later(FULL_CHECK, "decide", this::decide);
      return;
    }
    deciding = false;
    List<CommandBatchProcessor.Work> batch = List.copyOf(inbox);
    inbox.clear();
    try {
      keeper.process(batch);
    } catch (RuntimeException bug) {
      world.violate("the state's owner meets no bug", bug.toString());
    }
    storage.handedOver();
  }

  /** It is over: node daemons are hung up on, and all who wait are told to go elsewhere. */
  void close() {
    if (!closed) {
      closed = true;
      wiring.links().close();
      List.copyOf(waiting).forEach(asker -> asker.decided(ELSEWHERE));
      inbox.clear();
    }
  }

  /** Somebody who is answered once, by his decision or by the end. */
  private final class Waiting implements ReplyListener {
    private final ReplyListener asker;

    Waiting(ReplyListener asker) {
      this.asker = asker;
    }

    @Override
    public void decided(Reply reply) {
      if (waiting.remove(this)) {
        asker.decided(reply);
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (waiting.remove(this)) {
        asker.failed(failure);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // another version, not an unequal one
  private final class Consequences implements DecisionListener {
    private @Nullable ClusterState planned;

    @Override
    public void decided(ClusterState state) {
      if (serving() && (planned == null || PassPacing.differ(planned, state))) {
        planned = state;
        passes.wake();
      }
    }

    @Override
    public void published(ClusterState state) {
      ClusterState before = last;
      if (before != state) {
        last = state;
        world.witness.published(before, state);
      }
    }

    @Override
    public void happened(List<Event> events, ClusterState after) {
      accounting.happened(events, after);
    }

    @Override
    public void perform(Effect effect, ClusterState state) {
      if (effect instanceof Effect.OnNode there) {
        wiring.links().perform(there, state);
      }
    }

    @Override
    public void stopped(Throwable cause) {
      world.violate("the state's owner meets no bug", cause.toString());
    }
  }
}

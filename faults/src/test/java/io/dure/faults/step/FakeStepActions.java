package io.dure.faults.step;

import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.node.agent.NodeDaemonLoop;
import io.dure.node.agent.RunActions;
import io.dure.node.agent.StepActions;
import io.dure.node.launch.RunningStep;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.step.CredentialGate;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepRequest;
import io.dure.node.usage.NamedStep;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one daemon does for numbered steps, in one of its lives; the gate is the product's own. */
public final class FakeStepActions implements StepActions, NodeParts.Daemon {
  private static final long STOP_PATIENCE = 5_000_000;

  private final NodeParts machine;
  private final StepSurroundings world;
  private final CredentialGate gate;
  private final Daemon daemon;
  private final TreeSet<PartId> watched = new TreeSet<>();
  private final TreeMap<Integer, PartListener> connections = new TreeMap<>();
  private boolean listens;
  private boolean ended;
  private int lastConnection;

  /** The daemon. */
  public interface Daemon {
    /** Has the loop told something, in this life. */
    void tell(Consumer<NodeDaemonLoop> news);

    /** Whether its disk takes nothing. */
    boolean isFull();
  }

  /** For a daemon that starts. */
  public FakeStepActions(NodeParts machine, InstantSource clock, Daemon daemon) {
    this.machine = machine;
    this.world = machine.world();
    this.gate =
        new CredentialGate(
            clock, key -> (message, signature) -> CheapSignature.isValid(key, message, signature));
    this.daemon = daemon;
    machine.hands = this;
  }

  /** The daemon is gone: what has no shepherd yet is never started, and its front end sees that. */
  public void gone() {
    ended = true;
    machine.hands = null;
    connections.values().forEach(front -> front.left(machine.node()));
    connections.clear();
  }

  /** Takes a launch from a front end; false if it does not listen. */
  public boolean launch(PartListener from, int uid, byte[] payload) {
    if (!listens) {
      return false;
    }
    int id = ++lastConnection;
    Spawner.StepConnection connection = new Spawner.StepConnection(1, id, uid, uid, 1, 'L');
    connections.put(id, from);
    switch (gate.judge(connection, payload, machine.node())) {
      case CredentialGate.Verdict.Allowed(StepRequest request) ->
          daemon.tell(loop -> loop.asked(request));
      case CredentialGate.Verdict.Refused(int code, String text) -> refuse(connection, code, text);
    }
    return true;
  }

  private long little() {
    return 500L + machine.random().nextInt(20_000);
  }

  @Override
  public void trust(byte[] credentialKey) {
    gate.trust(credentialKey);
    listens = true;
  }

  @Override
  public void start(RunActions.Launch launch, StepRequest request) {
    int boot = machine.boot();
    PartId id = new PartId(launch.id(), request.step().number());
    world.after(
        little(),
        "prepare step",
        () -> {
          if (ended || boot != machine.boot()) {
            return;
          }
          if (daemon.isFull()) {
            refuse(request.connection(), 0, "No space left on device");
            over(id, new StepEnd.NodeFault("No space left on device"));
            return;
          }
          Path directory = launch.directory().resolve("job." + id.step());
          SimulatedPart part = new SimulatedPart(id, request, directory, boot, world.micros());
          machine.put(part);
          watched.add(id);
          daemon.tell(loop -> loop.kept(id.run(), id.step(), part.running()));
          world.after(little(), "start step", () -> begin(part, boot));
        });
  }

  private void begin(SimulatedPart part, int boot) {
    // A shepherd outlives its daemon, or the daemon died before it had made one.
    boolean made = !ended || machine.random().nextBoolean();
    boolean there = machine.part(part.id()) == part && part.end == null;
    if (boot == machine.boot() && made && there) {
      if (!ended) {
        part.front = connections.remove(part.request.connection().id());
      }
      machine.begin(part);
      PartListener front = part.front;
      if (front == null || !front.isAlive()) {
        machine.frontLost(part.id());
      }
    } else if (boot == machine.boot() && !ended) {
      // It was ended before its first process: its front end's connection goes with its shepherd.
      PartListener front = connections.remove(part.request.connection().id());
      if (front != null) {
        front.left(machine.node());
      }
    }
  }

  private void over(PartId id, StepEnd end) {
    daemon.tell(loop -> loop.over(id.run(), id.step(), end));
  }

  @Override
  public void adopt(RunActions.Launch launch) {
    for (SimulatedPart part : machine.of(launch.id())) {
      PartId id = part.id();
      watched.add(id);
      daemon.tell(loop -> loop.kept(id.run(), id.step(), part.running()));
      if (!part.begun && part.end == null) {
        // No shepherd holds its lock, and none will find what it is to start.
        part.ends(new StepEnd.Lost("never started"), world.micros());
      }
      if (part.end != null) {
        ended(part);
      }
    }
  }

  @Override
  public void ended(SimulatedPart part) {
    StepEnd end = part.end;
    if (watched.contains(part.id()) && end != null) {
      over(part.id(), end);
    }
  }

  @Override
  public void refuse(Spawner.StepConnection connection, int code, String text) {
    PartListener front = connections.remove(connection.id());
    if (front != null) {
      front.refused(machine.node(), text);
    }
  }

  private @Nullable SimulatedPart part(RunningStep step) {
    return machine.at(step.directory().path());
  }

  @Override
  public void signal(RunningStep step, int signal) {
    SimulatedPart part = part(step);
    if (part != null) {
      machine.signal(part, signal);
    }
  }

  @Override
  public void suspend(RunId run, RunningStep step) {
    SimulatedPart part = part(step);
    signal(step, NodeParts.SIGSTOP);
    if (part != null && !part.begun && part.end == null) {
      // It has no processes yet.
      world.after(
          STOP_PATIENCE,
          "suspend again",
          () -> daemon.tell(loop -> loop.happened(run, new RunInput.StillMoves())));
    }
  }

  @Override
  public void end(
      RunningStep step, String name, Effect.TerminationReason why, List<Integer> signals) {
    for (int signal : signals) {
      signal(step, signal);
    }
  }

  @Override
  public void look(List<NamedStep> steps) {}

  @Override
  public void tellFigures(
      Spawner.StepConnection to, int pid, boolean denied, List<NamedStep> steps) {}

  @Override
  public void attach(Spawner.StepConnection connection, RunningStep step) {}

  @Override
  public void forget(Path directory) {
    SimulatedPart part = machine.at(directory);
    if (part != null && part.lives()) {
      world.violate("the record of what lives is kept", part.id().text());
    } else if (part != null) {
      machine.remove(part);
    }
  }
}

package io.dure.faults.world;

import io.dure.controller.node.NodeChannel;
import io.dure.controller.node.NodeProtocol;
import io.dure.node.link.ControllerLink;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a node daemon and the controller; each end ends it after 30 s of silence.
 * Some messages go through the product's encoding and back.
 */
final class SimulatedNodeConnection implements ControllerLink.Session {
  private static final long SILENCE = 30_000_000;
  private static final int ENCODED = 16;
  private static final RecordCodec<ControllerToNodeMessage> TO_NODE = WireCodecs.toNode();
  private static final RecordCodec<NodeToControllerMessage> FROM_NODE =
      WireCodecs.fromNode().strict();

  final String node;
  boolean closedHere;
  @Nullable NodeProtocol dialogue;
  private final SimulatedWorld world;
  private final SimulatedNodeHost machine;
  private final SimulatedControllerHost controller;
  private final SimulatedChannel<ControllerToNodeMessage> toNode;
  private final SimulatedChannel<NodeToControllerMessage> toController;
  private boolean closedThere;
  private int messages;
  private long heardHere;
  private long heardThere;

  SimulatedNodeConnection(
      SimulatedWorld world, SimulatedNodeHost machine, SimulatedControllerHost controller) {
    this.world = world;
    this.machine = machine;
    this.controller = controller;
    this.node = machine.name();
    toNode =
        new SimulatedChannel<>(
            world.time, machine.random, machine.toHere, controller.fromHere, new NodeEnd());
    toController =
        new SimulatedChannel<>(
            world.time, machine.random, machine.fromHere, controller.toHere, new ControllerEnd());
  }

  /** Both ends know of each other now. */
  void open(SimulatedLeader leading) {
    heardHere = world.time.micros();
    heardThere = heardHere;
    controller.accept(this, new Way(), leading);
    machine.watch(this, SILENCE);
    watchHere();
  }

  /** Encoding takes longer than all else; a part of the messages has to do. */
  private boolean isSample() {
    return messages++ % ENCODED == 0;
  }

  private void watchHere() {
    world.time.at(
        heardHere + SILENCE,
        "silence",
        () -> {
          if (!closedHere) {
            if (world.time.micros() - heardHere >= SILENCE) {
              controller.serve(this, this::endHere);
            } else {
              watchHere();
            }
          }
        });
  }

  /** How long nothing has come for the daemon. */
  long silentThere() {
    return world.time.micros() - heardThere;
  }

  boolean closedThere() {
    return closedThere;
  }

  private void endHere() {
    NodeProtocol current = dialogue;
    if (!closedHere && current != null) {
      current.end();
    }
  }

  /** The controller's end of it. */
  private final class Way implements NodeChannel {
    @Override
    public boolean send(ControllerToNodeMessage message) {
      ControllerToNodeMessage sent = world.wiring.toNode(message);
      if (!closedHere && sent != null) {
        toNode.send(isSample() ? TO_NODE.decode(TO_NODE.encode(sent)) : sent);
      }
      return true;
    }

    @Override
    public void close() {
      if (!closedHere) {
        closedHere = true;
        toController.silence();
        toNode.finish();
        controller.forget(SimulatedNodeConnection.this);
        // The reading side meets the end, and tells it.
        NodeProtocol current = dialogue;
        if (current != null) {
          controller.later(10, "end of session", current::end);
        }
      }
    }
  }

  private final class ControllerEnd implements SimulatedChannel.Receiver<NodeToControllerMessage> {
    @Override
    public void received(NodeToControllerMessage message) {
      controller.serve(
          SimulatedNodeConnection.this,
          () -> {
            heardHere = world.time.micros();
            hear(message);
          });
    }

    @Override
    public void closed() {
      controller.serve(SimulatedNodeConnection.this, SimulatedNodeConnection.this::endHere);
    }

    private void hear(NodeToControllerMessage message) {
      NodeProtocol current = dialogue;
      if (current != null) {
        try {
          current.heard(message);
        } catch (InterruptedException e) {
          throw new IllegalStateException("nobody interrupts", e);
        }
      }
    }
  }

  private final class NodeEnd implements SimulatedChannel.Receiver<ControllerToNodeMessage> {
    @Override
    public void received(ControllerToNodeMessage message) {
      machine.whenAwake(() -> {
        if (!closedThere) {
          heardThere = world.time.micros();
          machine.received(SimulatedNodeConnection.this, message);
        }
      });
    }

    @Override
    public void closed() {
      machine.whenAwake(SimulatedNodeConnection.this::endThere);
    }
  }

  /** The daemon notices that the connection is gone. */
  void endThere() {
    if (!closedThere) {
      close();
      machine.disconnected(this);
    }
  }

  @Override
  public void send(NodeToControllerMessage message) {
    NodeToControllerMessage sent = world.wiring.fromNode(message);
    if (!closedThere && sent != null) {
      toController.send(isSample() ? FROM_NODE.decode(FROM_NODE.encode(sent)) : sent);
    }
  }

  @Override
  public void close() {
    if (!closedThere) {
      closedThere = true;
      toNode.silence();
      toController.finish();
      machine.whenAwake(() -> machine.disconnected(this));
    }
  }

  /** The network ends it for both. */
  void cut() {
    toController.finish();
    toNode.finish();
  }

  /** The controller's process is gone; without power its machine says nothing. */
  void controllerGone(boolean power) {
    closedHere = true;
    toController.silence();
    if (!power) {
      toNode.finish();
    }
  }

  /** The controller's machine is there again and knows nothing of it. */
  void reset() {
    toNode.finish();
  }

  /** The daemon is gone; without power its machine says nothing. */
  void daemonGone(boolean power) {
    closedThere = true;
    toNode.silence();
    if (!power) {
      toController.finish();
    }
  }

  /** The node's machine is there again and knows nothing of it. */
  void resetThere() {
    toController.finish();
  }
}

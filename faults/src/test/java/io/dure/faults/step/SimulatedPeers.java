package io.dure.faults.step;

import io.dure.node.peer.NodePeerLinks;
import io.dure.protocol.step.NodePeerMessage;
import java.util.SplittableRandom;

/** Connections from one life of a node's daemon to those of others, which lose what they carry. */
public final class SimulatedPeers implements NodePeerLinks {
  private static final int UNREACHABLE = 40;
  private static final int LOST = 30;
  private static final int LATE = 20;
  private static final int USUAL_MICROS = 5_000;
  private static final int LATE_MICROS = 20_000_000;

  private final StepSurroundings world;
  private final StepSurroundings.Node self;
  private final SplittableRandom random;
  private final int life;

  /** Of the life of the daemon that begins now. */
  public SimulatedPeers(
      StepSurroundings world, StepSurroundings.Node self, SplittableRandom random) {
    this.world = world;
    this.self = self;
    this.random = random;
    this.life = self.life();
  }

  @Override
  public boolean send(String node, NodePeerMessage message) {
    if (random.nextInt(UNREACHABLE) == 0) {
      return false;
    }
    StepSurroundings.Node other = world.node(node);
    world.count("ends told to a peer");
    later(() -> {
      if (random.nextInt(LOST) == 0 || !other.hear(other.life(), answerer(node), message)) {
        self.losePeer(life, node);
      }
    });
    return true;
  }

  /** What the other daemon answers with. */
  private Caller answerer(String node) {
    return answer ->
        later(() -> {
          world.count("answers of a peer: " + answer.getClass().getSimpleName());
          if (random.nextInt(LOST) == 0) {
            self.losePeer(life, node);
          } else {
            self.hear(life, _ -> {}, answer);
          }
        });
  }

  private void later(Runnable action) {
    int most = random.nextInt(LATE) == 0 ? LATE_MICROS : USUAL_MICROS;
    world.after(100L + random.nextInt(most), "peer", action);
  }
}

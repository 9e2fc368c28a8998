package io.dure.faults.world;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The network between the controllers: messages arrive late, out of order, twice, or never. */
final class SimulatedPeerNetwork {
  private final SimulatedWorld world;
  private final SplittableRandom random;
  private final Map<String, Long> cut = new TreeMap<>();
  private long badUntil;
  private int lostPercent;
  private int doubledPercent;
  private long slowMicros;

  SimulatedPeerNetwork(SimulatedWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** The hosts of all controllers but one. */
  List<String> others(String host) {
    return world.controllers.stream()
        .map(controller -> controller.host)
        .filter(name -> !name.equals(host))
        .toList();
  }

  /** Nothing from one host arrives at the other for so long. */
  void cut(String from, String to, long micros) {
    cut.put(from + ">" + to, world.time.micros() + micros);
  }

  /** For so long messages are lost or doubled, each with that chance, and are up to so slow. */
  void trouble(long micros, int lost, int doubled, long slow) {
    badUntil = world.time.micros() + micros;
    lostPercent = lost;
    doubledPercent = doubled;
    slowMicros = slow;
  }

  void heal() {
    cut.clear();
    badUntil = 0;
  }

  /** Sends at a moment, now or later; if the sender is no more by then, nothing is sent. */
  void send(String from, String to, byte[] message, long at) {
    boolean bad = world.time.micros() < badUntil;
    int copies = bad && random.nextInt(100) < doubledPercent ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      if (bad && random.nextInt(100) < lostPercent) {
        continue;
      }
      long delay = 100L + random.nextInt(400);
      if (bad) {
        delay += random.nextLong(slowMicros + 1);
      }
      if (random.nextInt(200) == 0) {
        delay += random.nextInt(300_000);
      }
      SimulatedControllerHost sender = world.machine(from);
      int life = sender.life();
      long arrival = at + delay;
      if (at > world.time.micros()) {
        sender.later(
            at - world.time.micros(),
            "peer sends",
            () ->
                world.time.at(
                    arrival, "peer", () -> arrive(from, to, c -> c.receive(from, life, message))));
      } else {
        world.time.at(arrival, "peer", () -> arrive(from, to, c -> c.receive(from, life, message)));
      }
    }
  }

  /** A process ends and its machine goes on: it ends the process's connections. */
  void processEnded(String host, int life) {
    for (SimulatedControllerHost other : world.controllers) {
      if (!other.host.equals(host)) {
        world.time.after(
            100L + random.nextInt(5000),
            "peer's end",
            () -> arrive(host, other.host, c -> c.left(host, life)));
      }
    }
  }

  private void arrive(String from, String to, Consumer<ReplicatedController> news) {
    SimulatedControllerHost target = world.machine(to);
    if (target.process() instanceof ReplicatedController && !isCut(from, to)) {
      target.later(
          0,
          "peer received",
          () -> {
            if (target.process() instanceof ReplicatedController now) {
              news.accept(now);
            }
          });
    }
  }

  private boolean isCut(String from, String to) {
    return !cut.isEmpty() && world.time.micros() < cut.getOrDefault(from + ">" + to, 0L);
  }
}

package io.dure.faults.world;

import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: what is sent arrives in order, later, or never. Of a broken
 * connection the other end hears when the network lets it.
 *
 * @param <M> messages
 */
final class SimulatedChannel<M> {
  private final VirtualTimeline time;
  private final SplittableRandom random;
  private final NetworkConditions there;
  private final NetworkConditions here;
  private final Receiver<M> receiver;
  private final ArrayDeque<Parcel<M>> parcels = new ArrayDeque<>();
  private long lastArrival;
  private boolean pumping;
  private boolean deaf;

  /** What the network is like now in this direction; changes while parcels are under way. */
  static final class NetworkConditions {
    /** Nothing arrives before that moment, microseconds. */
    long blockedUntil;

    /** Added to each delay until then, microseconds. */
    long slowUntil;

    long slowBy;
  }

  /** Who receives. */
  interface Receiver<M> {
    void received(M message);

    /** The other end has closed the connection. */
    void closed();
  }

  private record Parcel<M>(long arrival, @Nullable M message) {}

  SimulatedChannel(
      VirtualTimeline time,
      SplittableRandom random,
      NetworkConditions there,
      NetworkConditions here,
      Receiver<M> receiver) {
    this.time = time;
    this.random = random;
    this.there = there;
    this.here = here;
    this.receiver = receiver;
  }

  /** Sends a message. */
  void send(M message) {
    put(message);
  }

  /** Sends word that this end is closed. */
  void finish() {
    put(null);
  }

  /** Nobody receives any more. */
  void silence() {
    deaf = true;
    parcels.clear();
  }

  private void put(@Nullable M message) {
    if (deaf) {
      return;
    }
    long delay = 100L + random.nextInt(400);
    if (random.nextInt(200) == 0) {
      delay += random.nextInt(300_000);
    }
    for (NetworkConditions weather : List.of(there, here)) {
      if (time.micros() < weather.slowUntil) {
        delay += weather.slowBy;
      }
    }
    lastArrival = Math.max(lastArrival, time.micros() + delay);
    parcels.add(new Parcel<>(lastArrival, message));
    pump();
  }

  private long blockedUntil() {
    return Math.max(there.blockedUntil, here.blockedUntil);
  }

  private void pump() {
    Parcel<M> head = parcels.peek();
    if (head == null || pumping) {
      return;
    }
    pumping = true;
    time.at(Math.max(head.arrival(), blockedUntil()), "arrival", this::arrive);
  }

  private void arrive() {
    pumping = false;
    while (!deaf && time.micros() >= blockedUntil()) {
      Parcel<M> head = parcels.peek();
      if (head == null || head.arrival() > time.micros()) {
        break;
      }
      parcels.remove();
      M message = head.message();
      if (message == null) {
        silence();
        receiver.closed();
      } else {
        receiver.received(message);
      }
    }
    pump();
  }
}

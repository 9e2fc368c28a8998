package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what is appended until a test says what became of it. */
final class FakeStore implements EventStore {
  final Deque<Append> appends = new ArrayDeque<>();

  record Append(List<Event> events, Consumer<Throwable> done) {}

  @Override
  public void append(EventBatch batch, Consumer<Throwable> done) {
    appends.add(new Append(List.copyOf(batch.events()), done));
  }

  @Override
  public void offerSnapshot(ClusterState state) {}
}

package io.dure.faults.world;

import io.dure.node.agent.RunSpool;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A node's records of its runs, which outlive the daemon, and a power loss if they are not new. */
final class SimulatedRunSpool implements RunSpool {
  private static final long WRITTEN_BACK_AFTER = 5_000_000;

  private final VirtualTimeline time;
  private final Consumer<RunId> removed;
  private final TreeMap<RunId, Entry> entries = new TreeMap<>();
  private long fullUntil;
  private int boot = 1;

  private record Entry(RunState state, StoredJob job, int boot, long at) {}

  /**
   * An empty one.
   *
   * @param removed told of each run whose directory is gone, with all that was in it
   */
  SimulatedRunSpool(VirtualTimeline time, Consumer<RunId> removed) {
    this.time = time;
    this.removed = removed;
  }

  void full(long micros) {
    fullUntil = time.micros() + micros;
  }

  boolean isFull() {
    return time.micros() < fullUntil;
  }

  /** Records that are new are lost with the power, or not. */
  void powerLost(SplittableRandom random) {
    boot++;
    for (Entry entry : List.copyOf(entries.values())) {
      if (time.micros() - entry.at() < WRITTEN_BACK_AFTER && random.nextBoolean()) {
        remove(entry.state().id());
      }
    }
  }

  List<RunId> runs() {
    return List.copyOf(entries.keySet());
  }

  private void write() throws IOException {
    if (isFull()) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public Path directory(RunId id) {
    return Path.of("runs", id.text());
  }

  @Override
  public void create(RunState state, StoredJob job) throws IOException {
    write();
    entries.put(state.id(), new Entry(state, job, boot, time.micros()));
  }

  @Override
  public void save(RunState state) throws IOException {
    Entry before = entries.get(state.id());
    if (before == null) {
      throw new IOException("No such file or directory");
    }
    write();
    entries.put(state.id(), new Entry(state, before.job(), boot, time.micros()));
  }

  @Override
  public void remove(RunId id) {
    entries.remove(id);
    removed.accept(id);
  }

  @Override
  public List<Found> load(Consumer<Path> salvage) {
    List<Found> found = new ArrayList<>();
    entries.values().forEach(e -> found.add(new Found(e.state(), e.job(), e.boot() == boot)));
    return found;
  }

  @Override
  public void clear(Consumer<Path> salvage) {
    entries.clear();
  }
}

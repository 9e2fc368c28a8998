package io.dure.controller.replica;

import io.dure.controller.replica.raft.JournalRaftStore.RaftLogFile;
import io.dure.controller.replica.raft.RaftStoreRecord;
import io.dure.controller.replica.raft.RestoredLog;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A journal in memory that forgets at a power loss what was not synced, from some batch on. */
final class SimulatedFile implements RaftLogFile {
  private final List<List<byte[]>> durable = new ArrayList<>();
  private final List<List<byte[]>> unsynced = new ArrayList<>();
  private long first = 1; // number of the first record in durable
  private long last;
  private SnapshotItems snapshot;
  private long snapshotNumber;
  private int life;
  private boolean refusing;

  /** The file as the process that runs now sees it; a process that crashed changes nothing. */
  RaftLogFile open() {
    int mine = ++life;
    return new RaftLogFile() {
      @Override
      public void append(List<byte[]> records) throws IOException {
        check(mine);
        SimulatedFile.this.append(records);
      }

      @Override
      public void sync() throws IOException {
        check(mine);
        SimulatedFile.this.sync();
      }

      @Override
      public long last() {
        return SimulatedFile.this.last();
      }

      @Override
      public void snapshot(long number, SnapshotItems state) throws IOException {
        check(mine);
        SimulatedFile.this.snapshot(number, state);
      }

      @Override
      public SnapshotItems install(long number, SnapshotItems state) throws IOException {
        check(mine);
        return SimulatedFile.this.install(number, state);
      }

      @Override
      public void close() {}
    };
  }

  private void check(int mine) throws IOException {
    if (mine != life) {
      throw new IOException("this process is dead");
    }
  }

  /** Another disk with what is durable here now. */
  SimulatedFile copy() {
    SimulatedFile copy = new SimulatedFile();
    copy.durable.addAll(durable);
    copy.first = first;
    copy.last = first - 1 + durable.stream().mapToLong(List::size).sum();
    copy.snapshot = snapshot;
    copy.snapshotNumber = snapshotNumber;
    return copy;
  }

  /** Snapshots fail from now on, or do not. */
  void refuseSnapshots(boolean now) {
    refusing = now;
  }

  @Override
  public void append(List<byte[]> records) {
    unsynced.add(List.copyOf(records));
    last += records.size();
  }

  @Override
  public void sync() {
    durable.addAll(unsynced);
    unsynced.clear();
  }

  @Override
  public long last() {
    return last;
  }

  @Override
  public void snapshot(long number, SnapshotItems state) throws IOException {
    if (refusing) {
      throw new IOException("No space left on device");
    }
    install(number, state);
  }

  @Override
  public SnapshotItems install(long number, SnapshotItems state) throws IOException {
    sync();
    List<byte[]> items = new ArrayList<>();
    state.into(items::add);
    if (number < snapshotNumber) {
      return SnapshotItems.of(items);
    }
    snapshot = SnapshotItems.of(items);
    snapshotNumber = number;
    while (!durable.isEmpty() && first + durable.getFirst().size() - 1 <= number) {
      first += durable.removeFirst().size();
    }
    return snapshot;
  }

  @Override
  public void close() {}

  /** The process is gone; with a power loss, so is what was not synced. */
  void crash(boolean powerLoss, Random random) {
    life++;
    int keep = powerLoss ? random.nextInt(unsynced.size() + 1) : unsynced.size();
    durable.addAll(unsynced.subList(0, keep));
    for (List<byte[]> lost : unsynced.subList(keep, unsynced.size())) {
      last -= lost.size();
    }
    unsynced.clear();
  }

  RestoredLog read(RaftStoreRecord.Self fresh) throws IOException {
    return RestoredLog.read(
        fresh,
        snapshot,
        snapshotNumber,
        Set.of(),
        sink -> {
          long number = first;
          for (List<byte[]> batch : durable) {
            for (byte[] record : batch) {
              if (number > snapshotNumber) {
                sink.record(number, record);
              }
              number++;
            }
          }
        });
  }
}

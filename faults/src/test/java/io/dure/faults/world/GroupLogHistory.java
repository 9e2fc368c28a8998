package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.controller.StandbyReplay;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalRecord;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that a group of controllers ever kept, in its one order. Each controller reads it batch by
 * batch, as leader by hearing that its own are kept, else by being told those of the leader: all
 * must read the same, and have the same state at the same place.
 */
final class GroupLogHistory {
  private static final int BATCHES_A_COMPARISON = 50;

  private final SimulatedWorld world;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, String> leaders = new TreeMap<>();
  private final Map<String, Long> told = new TreeMap<>();
  private long newestTerm;

  /** A batch and the state after it. */
  private record Entry(int hash, ClusterState after) {}

  /** What the leader decided: events, and the state after them. */
  record Decided(List<Event> events, ClusterState after) {}

  GroupLogHistory(SimulatedWorld world) {
    this.world = world;
  }

  /** Of a process that begins. */
  Reader reader(SimulatedControllerHost machine) {
    return new Reader(machine);
  }

  /** How many batches there are. */
  int size() {
    return entries.size();
  }

  private static int hash(List<byte[]> records) {
    int hash = 1;
    for (byte[] record : records) {
      hash = 31 * hash + Arrays.hashCode(record);
    }
    return hash;
  }

  /** One process. */
  final class Reader {
    private final SimulatedControllerHost machine;
    private final String host;
    private String disk = "";
    private int position;
    private @Nullable StandbyReplay succession;
    private @Nullable Decided decided;

    private Reader(SimulatedControllerHost machine) {
      this.machine = machine;
      this.host = machine.host;
    }

    /** Whether it has come to the operation of its disk at which it ends: it does nothing more. */
    private boolean isDead() {
      return machine.stopped();
    }

    /**
     * It has opened its disk, and found entries up to that place.
     *
     * @param name of the disk, another one if what was there is lost or set aside
     */
    void found(String name, long place) {
      disk = name;
      long before = told.getOrDefault(name, 0L);
      if (place < before) {
        world.violate(
            "what is durable is not lost",
            name + " had batch " + before + " and was found to end at " + place);
      }
    }

    /** How many batches it has read. */
    int position() {
      return position;
    }

    /** The state that it has made of them. */
    ClusterState state() {
      StandbyReplay now = succession;
      if (now == null) {
        throw new IllegalStateException("not open");
      }
      return now.state();
    }

    /** What the leader is about to append. */
    void deciding(Decided next) {
      decided = next;
    }

    /** The log, seen: the product's store appends to this. */
    ReplicatedLog log(ReplicatedLog real, SimulatedRaftExecutor thread) {
      return new SeenLog(this, real, thread);
    }

    /** The next batch is one of its own. */
    private void kept(int hash, Decided own) {
      boolean first = read(hash, own.after());
      if (first) {
        world.books.truth().happened(own.events());
        own.events().forEach(world.witness::fact);
      }
    }

    /** True if nobody has read it before. */
    private boolean read(int hash, ClusterState after) {
      position++;
      if (position > entries.size()) {
        entries.add(new Entry(hash, after));
        return true;
      }
      if (entries.get(position - 1).hash() != hash) {
        world.violate("all controllers keep the same", host + " has another batch " + position);
      }
      return false;
    }

    /** Compares its state with what others have at the same place. */
    private void compare(ClusterState state) {
      if (position > 0 && position <= entries.size()) {
        try {
          StateInvariants.same(entries.get(position - 1).after(), state);
        } catch (AssertionError e) {
          world.violate(
              "the same batches make the same state",
              host + " after batch " + position + ": " + PromiseWitness.shortened(e));
        }
      }
    }

    void compare() {
      compare(state());
    }

    /** What the log tells, seen. */
    ReplicatedStateMachine replica(ReplicatedStateMachine told, StandbyReplay of) {
      succession = of;
      return new SeenReplica(this, told);
    }

    private void committed(long place, List<byte[]> records) {
      told.merge(disk, place, Math::max);
      if (read(hash(records), state())) {
        for (byte[] record : records) {
          try {
            for (EventJournal.Timed timed :
                EventJournal.decode(
                    SimulatedControllerHost.DIRECTORY, new JournalRecord(place, record))) {
              world.books.truth().happened(List.of(timed.event()));
              world.witness.fact(timed.event());
            }
          } catch (JournalRefusedException e) {
            world.violate("what was stored can be replayed", String.valueOf(e.getMessage()));
          }
        }
      } else if (position % BATCHES_A_COMPARISON == 0) {
        compare();
      }
    }

    private void elected(long term) {
      String other = leaders.putIfAbsent(term, host);
      if (other != null && !other.equals(host)) {
        world.violate("one leads at a time", other + " and " + host + " in term " + term);
      }
      compare();
      if (term > newestTerm) {
        newestTerm = term;
        if (position != entries.size()) {
          world.violate(
              "who leads has all that was kept",
              host + " has " + position + " batches of " + entries.size());
        }
        world.witness.check(state());
      }
    }

    private void restored(int at) {
      position = at;
      if (at > entries.size()) {
        world.violate("a snapshot is of what was kept", host + " has one of batch " + at);
      } else {
        compare();
      }
    }
  }

  /** Between the log and what it is kept for. */
  private record SeenReplica(Reader reader, ReplicatedStateMachine real)
      implements ReplicatedStateMachine {
    @Override
    public void restore(@Nullable SnapshotItems snapshot) throws IOException {
      if (snapshot == null) {
        real.restore(null);
        reader.restored(0);
      } else {
        List<byte[]> items = new ArrayList<>();
        snapshot.into(items::add);
        int at = ByteBuffer.wrap(items.removeFirst()).getInt();
        real.restore(SnapshotItems.of(items));
        reader.restored(at);
      }
    }

    @Override
    public void committed(long place, List<byte[]> records) {
      if (!reader.isDead()) {
        real.committed(place, records);
        reader.committed(place, records);
      }
    }

    @Override
    public void elected(long term) {
      if (!reader.isDead()) {
        reader.elected(term);
        real.elected(term);
      }
    }

    @Override
    public void deposed() {
      if (!reader.isDead()) {
        real.deposed();
        reader.compare();
      }
    }

    @Override
    public SnapshotItems image() {
      SnapshotItems image = real.image();
      byte[] at = ByteBuffer.allocate(Integer.BYTES).putInt(reader.position).array();
      return () -> {
        SnapshotItems.Reader items = image.open();
        Iterator<byte[]> first = List.of(at).iterator();
        return () -> first.hasNext() ? first.next() : items.next();
      };
    }

    @Override
    public void stopped(Throwable cause) {
      real.stopped(cause);
    }
  }

  /** Between what the leader decides and the log. */
  private static final class SeenLog extends FaultHooks.LogOver {
    private final Reader reader;
    private final ReplicatedLog real;
    private final SimulatedRaftExecutor thread;

    SeenLog(Reader reader, ReplicatedLog real, SimulatedRaftExecutor thread) {
      super(real);
      this.reader = reader;
      this.real = real;
      this.thread = thread;
    }

    @Override
    public void append(long epoch, List<byte[]> records, Consumer<@Nullable Throwable> done) {
      Decided own = records.isEmpty() ? null : reader.decided;
      int hash = hash(records);
      real.append(
          epoch,
          records,
          failure -> {
            if (reader.isDead()) {
              return;
            }
            if (failure == null && own != null) {
              reader.kept(hash, own);
            }
            thread.whenDone(() -> done.accept(failure));
          });
    }
  }
}

package io.dure.faults.world;

import io.dure.cluster.TextStorage;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.JournalEventStore;
import io.dure.faults.books.SimulatedAccounting;
import io.dure.journal.Journal;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.command.Command;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The only controller of its cluster: it leads from its start to its end, over its own journal. */
final class StandaloneController
    implements SimulatedControllerHost.Program, SimulatedLeader.Storage {
  private static final int EVENTS_A_SNAPSHOT = 400;
  private static final long SECOND = 1_000_000;

  private final SimulatedControllerHost machine;
  private final List<RecoveredJournal> found = new ArrayList<>();
  private @Nullable EventStore store;
  private @Nullable SimulatedLeader leading;
  private boolean writing;

  /** A snapshot that waits for the disk. */
  private @Nullable Runnable snapshot;

  private long snapshotAfter;

  private StandaloneController(SimulatedControllerHost machine) {
    this.machine = machine;
  }

  /** Starts on what the disk holds; null if it cannot, and then the machine tries again. */
  static @Nullable StandaloneController start(SimulatedControllerHost machine) {
    StandaloneController made = new StandaloneController(machine);
    try {
      made.open();
      return made;
    } catch (JournalRefusedException e) {
      machine.refused(e);
    } catch (IOException e) {
      if (!machine.stopped() && e.getCause() instanceof RuntimeException) {
        machine.world.violate("what was stored can be replayed", String.valueOf(e.getMessage()));
      }
      machine.cannotStart(e);
    } catch (RuntimeException e) {
      machine.world.violate("what was stored can be replayed", e.toString());
    }
    return null;
  }

  private void open() throws IOException {
    SimulatedAccounting accounting = machine.openAccounting();
    JournalEventStore.Place place =
        new JournalEventStore.Place(
            SimulatedControllerHost.DIRECTORY,
            (_, listener) -> {
              RecoveredJournal recovered = machine.journal(listener);
              found.add(recovered);
              return recovered;
            },
            EVENTS_A_SNAPSHOT,
            work -> {
              snapshot = work;
              snapshotAfter = journal().lastAppended();
            },
            () -> TextStorage.IN_MEMORY,
            accounting);
    JournalEventStore.Opened opened =
        JournalEventStore.open(place, machine.config, machine.listener(), machine.log);
    machine.mend();
    SimulatedWorld world = machine.world;
    world.witness.recovered(opened.state(), journal().lastAppended());
    store = world.witness.store(world.wiring.store(opened.store()));
    machine.tell("starts, record " + journal().lastAppended());
    leading = new SimulatedLeader(machine, opened.state(), this);
  }

  /** Begins to serve. */
  void begin() {
    machine.accounting().start();
    leading().begin(new Command.Configure(machine.config, Command.Recovery.START), () -> {});
  }

  private Journal journal() {
    return found.getFirst().journal();
  }

  @Override
  public SimulatedLeader leading() {
    SimulatedLeader now = leading;
    if (now == null) {
      throw new IllegalStateException("not open");
    }
    return now;
  }

  @Override
  public EventStore store() {
    EventStore now = store;
    if (now == null) {
      throw new IllegalStateException("not open");
    }
    return now;
  }

  @Override
  public boolean accepting() {
    return true;
  }

  @Override
  public void handedOver() {
    write(machine.syncTime(machine.time.micros()));
  }

  private void write(long micros) {
    if (!writing) {
      writing = true;
      machine.later(micros, "sync", this::sync);
    }
  }

  private void sync() {
    writing = false;
    machine.feelDisk(machine.time.micros());
    boolean done = journal().step();
    if (machine.diesOfDisk()) {
      return;
    }
    if (!done) {
      write(SECOND);
    }
    Runnable waiting = snapshot;
    if (waiting != null && journal().lastDurable() >= snapshotAfter) {
      snapshot = null;
      machine.later(
          machine.random.nextInt(20_000),
          "snapshot",
          () -> {
            machine.feelDisk(machine.time.micros());
            waiting.run();
            machine.diesOfDisk();
          });
    }
  }
}

package io.dure.faults.books;

import io.dure.accounting.StalePositionException;
import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.accounting.AccountingReader;
import io.dure.controller.accounting.RecordGiver;
import io.dure.controller.accounting.RecordIntake;
import io.dure.controller.accounting.RecordSeeker;
import io.dure.controller.loop.EventFollower;
import io.dure.journal.AccountingLog;
import io.dure.journal.Journal;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.JournalDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of one process of a controller. Log, intake, seeker, giver and reader are the
 * product's own; here is what their threads do.
 */
public final class SimulatedAccounting implements EventFollower {
  private static final Path DIRECTORY = Path.of("accounting");
  private static final JournalSettings SETTINGS =
      new JournalSettings(32 * 1024, 64L << 20, Duration.ofSeconds(1));
  private static final int SECOND = 1_000_000;
  private static final long LONGEST_PAUSE = 60L * SECOND;
  private static final int ATTEMPTS = 3;

  private final BooksSurroundings around;
  private final SimulatedBooks books;
  private final SplittableRandom random;
  private final Journal journal;
  private final AccountingLog log;
  private final RecordIntake intake;
  private final RecordGiver giver;
  private final ArrayDeque<Durable> waiting = new ArrayDeque<>();
  private boolean recording;
  private boolean writing;
  private @Nullable AccountingReader reader;
  private long pause = SECOND;

  /** Events and the state that they led to; no event where it begins with that state. */
  private record Durable(List<Event> events, ClusterState after) {}

  private SimulatedAccounting(
      BooksSurroundings around,
      SimulatedBooks books,
      SplittableRandom random,
      RecoveredJournal found)
      throws IOException {
    this.around = around;
    this.books = books;
    this.random = random;
    journal = found.journal();
    log = AccountingLog.of(DIRECTORY, found);
    intake =
        new RecordIntake(
            log, around.clock(), new RecordSeeker(around.peers(), around.others()), around.log());
    giver = new RecordGiver(log);
  }

  /**
   * Opens the log on a disk.
   *
   * @param random its chance
   * @throws IOException if the disk refuses
   */
  public static SimulatedAccounting open(
      BooksSurroundings around, JournalDisk disk, SimulatedBooks books, SplittableRandom random)
      throws IOException {
    return new SimulatedAccounting(
        around,
        books,
        random,
        RecoveredJournal.openStepped(
            disk, DIRECTORY, SETTINGS, around.listener(), random::nextLong));
  }

  /** Begins to work. */
  public void start() {
    deliverLater(SECOND);
    seekLater();
  }

  @Override
  public void begin(ClusterState state) {
    put(new Durable(List.of(), state));
  }

  @Override
  public void happened(List<Event> events, ClusterState after) {
    if (!events.isEmpty()) {
      put(new Durable(events, after));
    }
  }

  private void put(Durable news) {
    waiting.add(news);
    if (!recording) {
      recording = true;
      around.planner().later(random.nextInt(SECOND), "records", this::record);
    }
  }

  private void record() {
    recording = false;
    drain();
    write();
  }

  private void drain() {
    for (Durable next = waiting.poll(); next != null; next = waiting.poll()) {
      if (next.events().isEmpty()) {
        intake.begin(next.after());
      } else {
        List<Event> left = next.events();
        while (!left.isEmpty()) {
          left = intake.happened(left, next.after());
        }
      }
    }
  }

  private void write() {
    if (!writing && !isDurable()) {
      writing = true;
      around.planner().later(200L + random.nextInt(5000), "records are written", this::step);
    }
  }

  private boolean isDurable() {
    return journal.lastDurable() >= journal.lastAppended();
  }

  private void step() {
    writing = false;
    around.feelDisk().run();
    boolean done = journal.step();
    if (around.diesOfDisk().getAsBoolean()) {
      return;
    }
    if (!done) {
      writing = true;
      around.planner().later(SECOND, "records are written", this::step);
    } else {
      write();
    }
  }

  @Override
  public void awaitKept(long eventCount) throws IOException {
    drain();
    if (intake.complete() < eventCount) {
      around.count().accept("snapshot without records");
      throw new IOException("the accounting records of some events are not kept");
    }
    log.cover(around.clock().instant(), eventCount);
    around.feelDisk().run();
    for (int i = 0; i < ATTEMPTS && !isDurable(); i++) {
      var _ = journal.step();
    }
    if (!isDurable()) {
      write();
      throw new IOException("the accounting records cannot be written");
    }
  }

  private void seekLater() {
    around
        .planner()
        .later(
            SECOND,
            "seek records",
            () -> {
              intake.seek();
              write();
              seekLater();
            });
  }

  /** A message of another controller, of records. */
  public void receive(String from, byte[] message) {
    RecordSeeker.Given part = RecordSeeker.answer(message);
    if (part == null) {
      answer(from, message);
      return;
    }
    drain();
    if (intake.isMissing()) {
      intake.given(part);
      around.count().accept(intake.isMissing() ? "records had in part" : "records had");
      write();
    }
  }

  private void answer(String from, byte[] message) {
    drain();
    long complete = intake.complete();
    if (!isDurable()) {
      write();
      return; // it asks again
    }
    try {
      byte[] answer = giver.answer(message, complete);
      if (answer != null) {
        around.peers().send(from, answer);
      }
    } catch (IOException e) {
      around.count().accept("records not given");
    }
  }

  /** Whether it lacks records that others have. */
  public boolean isMissing() {
    drain();
    return intake.isMissing();
  }

  private void deliverLater(long micros) {
    around.planner().later(micros + random.nextInt(100_000), "deliver records", this::deliver);
  }

  private void deliver() {
    long next = SECOND;
    try {
      if (books.isShared() && !around.leads().getAsBoolean()) {
        stopReading();
      } else if (reading()) {
        next = Objects.requireNonNull(reader).deliver() ? books.latency() : SECOND;
        pause = SECOND;
      }
    } catch (StalePositionException e) {
      around.count().accept("another wrote, or wrote before");
      stopReading();
    } catch (IOException | BooksAwayException e) {
      around.count().accept("books away");
      stopReading();
      next = pause;
      pause = Math.min(LONGEST_PAUSE, 2 * pause);
    }
    deliverLater(next);
  }

  private boolean reading() throws IOException {
    Instant created = intake.created();
    if (reader == null && created != null && intake.complete() > 0) {
      long position = books.position(String.valueOf(created));
      if (position <= intake.complete()) {
        reader =
            new AccountingReader(
                log,
                around.seen().apply(books::store),
                position,
                new AccountingReader.Release(around.clock(), () -> Long.MAX_VALUE),
                around.log());
      }
    }
    return reader != null;
  }

  private void stopReading() {
    try {
      if (reader != null) {
        reader.close();
      }
    } catch (IOException e) {
      around.count().accept("reader not closed");
    }
    reader = null;
  }
}

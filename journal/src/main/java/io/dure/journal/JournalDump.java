package io.dure.journal;

import io.dure.cluster.ClusterState;
import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.LocalJournalDisk;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentReader;
import io.dure.journal.segment.SnapshotDirectory;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a journal holds, and prints it for people: a line for each event with its record's
 * sequence, its time and itself. Only reads, so it may look at a journal in use or one that is
 * refused; of that it tells what comes before the damage.
 */
public final class JournalDump {
  private JournalDump() {}

  /** Prints the journal in the directory that is the only argument; exit code 1 if it cannot. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    if (args.length != 1) {
      System.err.println("usage: journal-dump DIRECTORY");
      System.exit(1);
    }
    try {
      print(Path.of(args[0]), out);
    } catch (IOException e) {
      out.flush();
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Prints all records that can be read.
   *
   * @throws IOException where reading ended early, with file and offset
   */
  static void print(Path directory, PrintStream out) throws IOException {
    each(directory, new Printer(out));
    out.flush();
  }

  private record Printer(PrintStream out) implements Listener {
    @Override
    public void event(long sequence, EventJournal.Timed timed) {
      out.println(sequence + " " + timed.at() + " " + printable(timed.event().toString()));
    }

    @Override
    public void unknown(long sequence, int bytes, JournalRefusedException why) {
      out.println(sequence + " - " + bytes + " bytes of an unknown kind");
    }
  }

  /** One line, whatever a user put into a name or a script. */
  private static String printable(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  /** Hears of each record. */
  public interface Listener {
    /** An event of the record with that sequence. */
    void event(long sequence, EventJournal.Timed timed);

    /**
     * A record of so many bytes whose events this program cannot read.
     *
     * @param why with file, record and remedy
     */
    void unknown(long sequence, int bytes, JournalRefusedException why);
  }

  /**
   * What a snapshot holds.
   *
   * @param sequence of the last record that it includes
   */
  public record State(long sequence, ClusterState state) {}

  /** The newest snapshot that can be read, null if there is none. */
  public static @Nullable State snapshot(Path directory) throws IOException {
    JournalDisk disk = new LocalJournalDisk();
    SegmentDirectory segments = new SegmentDirectory(disk, directory, 0, () -> 0);
    SnapshotDirectory.Snapshot newest =
        new SnapshotDirectory(disk, directory, segments).newest(new ArrayList<>());
    try {
      return newest == null
          ? null
          : new State(newest.sequence(), StoredState.restore(newest.items()));
    } catch (MalformedMessageException e) {
      return null;
    }
  }

  /** The snapshots that can be read, the oldest first. */
  public static List<State> snapshots(Path directory) throws IOException {
    JournalDisk disk = new LocalJournalDisk();
    SnapshotDirectory kept =
        new SnapshotDirectory(disk, directory, new SegmentDirectory(disk, directory, 0, () -> 0));
    List<State> all = new ArrayList<>();
    for (SnapshotDirectory.Snapshot one : kept.whole()) {
      try {
        all.add(new State(one.sequence(), StoredState.restore(one.items())));
      } catch (MalformedMessageException e) {
        // As where it is the newest: the journal goes on without it.
      }
    }
    return List.copyOf(all);
  }

  /**
   * Tells all records that can be read.
   *
   * @throws IOException where reading ended early, with file and offset
   */
  public static void each(Path directory, Listener listener) throws IOException {
    records(directory, (path, record) -> tell(record, path, listener));
  }

  /** Takes records. */
  interface RecordSink {
    void take(Path file, JournalRecord record) throws IOException;
  }

  /** The records that can be read, as {@link #each}. */
  static void records(Path directory, RecordSink sink) throws IOException {
    JournalDisk disk = new LocalJournalDisk();
    SegmentDirectory segments = new SegmentDirectory(disk, directory, 0, () -> 0);
    List<Long> firsts = segments.list();
    for (int i = 0; i < firsts.size(); i++) {
      boolean last = i + 1 == firsts.size();
      long end = last ? Long.MAX_VALUE : firsts.get(i + 1);
      Path path = segments.path(firsts.get(i));
      try (SegmentReader frames = SegmentReader.open(disk, path, firsts.get(i))) {
        JournalFrame frame = frames.next();
        while (frame != null && frame.sequence() < end) {
          sink.take(path, new JournalRecord(frame.sequence(), frames.payload(frame)));
          frame = frames.next();
        }
        if (frames.expected() < end && !(last && frames.rest().empty())) {
          throw new JournalRefusedException(
              path
                  + ":"
                  + frames.offset()
                  + ": record "
                  + frames.expected()
                  + " cannot be read; "
                  + JournalRefusedException.RESTORE,
              true);
        }
      }
    }
  }

  private static JournalRefusedException ofMember(Path file, JournalRecord record) {
    return new JournalRefusedException(
        file
            + ": record "
            + record.sequence()
            + " belongs to a replicated journal, which holds no events; name the"
            + " journal of a standalone controller");
  }

  private static void tell(JournalRecord record, Path file, Listener listener) {
    List<EventJournal.Timed> events;
    try {
      events = EventJournal.decode(file, record);
    } catch (JournalRefusedException e) {
      listener.unknown(
          record.sequence(),
          record.payload().length,
          EventJournal.isMembers(record.payload()) ? ofMember(file, record) : e);
      return;
    }
    for (EventJournal.Timed timed : events) {
      listener.event(record.sequence(), timed);
    }
  }
}

package io.dure.controller.journal;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints a journal for people: a line for each event with its record's sequence, its time and
 * itself. Only reads, so it may look at a journal in use or one that is refused; of that it prints
 * what comes before the damage.
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
    Disk disk = new LocalDisk();
    Segments segments = new Segments(disk, directory, 0, () -> 0);
    List<Long> firsts = segments.list();
    for (int i = 0; i < firsts.size(); i++) {
      boolean last = i + 1 == firsts.size();
      long end = last ? Long.MAX_VALUE : firsts.get(i + 1);
      Path path = segments.path(firsts.get(i));
      try (SegmentReader reader = SegmentReader.open(disk, path, firsts.get(i))) {
        Frame frame = reader.next();
        while (frame != null && frame.sequence() < end) {
          print(new JournalRecord(frame.sequence(), reader.payload(frame)), directory, out);
          frame = reader.next();
        }
        if (reader.expected() < end && !(last && reader.rest().empty())) {
          throw new IOException(
              path + ":" + reader.offset() + ": record " + reader.expected() + " cannot be read");
        }
      }
    }
    out.flush();
  }

  private static void print(JournalRecord record, Path directory, PrintStream out) {
    try {
      for (EventJournal.Timed timed : EventJournal.decode(directory, record)) {
        String event = printable(timed.event().toString());
        out.println(record.sequence() + " " + timed.at() + " " + event);
      }
    } catch (JournalRefusedException e) {
      int bytes = record.payload().length;
      out.println(record.sequence() + " - " + bytes + " bytes of an unknown kind");
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
}

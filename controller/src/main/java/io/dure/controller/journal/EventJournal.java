package io.dure.controller.journal;

import io.dure.core.controller.Event;
import io.dure.protocol.codec.MalformedException;
import io.dure.protocol.codec.RecordCodec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The journal of the controller's events. A record is its kind (1 byte), the version of that kind
 * (1 byte) and the event with its time as {@link RecordCodec} writes them (docs/decisions/0007).
 */
public final class EventJournal {
  private static final byte EVENT = 1;
  private static final byte VERSION = 1;
  private static final int HEAD = 2;
  private static final RecordCodec<Timed> CODEC = RecordCodec.of(Timed.class).exact();

  private EventJournal() {}

  /**
   * An event and the time of the command that it came from.
   *
   * @param at when the command was decided
   * @param event what happened
   */
  public record Timed(Instant at, Event event) {}

  /**
   * Appends the events of one decision; see {@link Journal#append}.
   *
   * @param at when it was decided
   */
  public static CompletableFuture<Long> append(Journal journal, Instant at, List<Event> events) {
    return journal.append(records(at, events));
  }

  /** The records of events, for {@link Journal#append}. */
  public static List<byte[]> records(Instant at, List<Event> events) {
    List<byte[]> records = new ArrayList<>(events.size());
    for (Event event : events) {
      records.add(encode(new Timed(at, event)));
    }
    return records;
  }

  /** The bytes of one record. */
  static byte[] encode(Timed timed) {
    byte[] body = CODEC.encode(timed);
    byte[] record = new byte[HEAD + body.length];
    record[0] = EVENT;
    record[1] = VERSION;
    System.arraycopy(body, 0, record, HEAD, body.length);
    return record;
  }

  /**
   * The event of a record.
   *
   * @param directory where the journal lies, for the message
   * @throws JournalRefusedException if it is of a kind or version that this program does not know
   */
  public static Timed decode(Path directory, JournalRecord record) throws JournalRefusedException {
    byte[] payload = record.payload();
    if (payload.length < HEAD || payload[0] != EVENT || payload[1] != VERSION) {
      throw unknown(directory, record, "is of an unknown kind");
    }
    try {
      return CODEC.decode(Arrays.copyOfRange(payload, HEAD, payload.length));
    } catch (MalformedException e) {
      throw unknown(directory, record, "cannot be read (" + e.getMessage() + ")");
    }
  }

  private static JournalRefusedException unknown(
      Path directory, JournalRecord record, String what) {
    return new JournalRefusedException(
        directory
            + ": record "
            + record.sequence()
            + " "
            + what
            + "; start the newer program that wrote it, or "
            + Remedy.RESTORE);
  }
}

package io.dure.journal;

import io.dure.cluster.Event;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * The journal of the controller's events. A record is its kind (1 byte), the version of that kind
 * (1 byte) and what {@link RecordCodec} writes (docs/decisions/0007): the events of a batch with
 * their times, one behind the other, what is alike written once. Earlier releases wrote a record of
 * kind 1 for each event.
 */
public final class EventJournal {
  private static final byte EVENT = 1;
  private static final byte MEMBERS = 2;
  private static final byte EVENTS = 3;
  private static final byte VERSION = 1;
  private static final int HEAD = 2;
  private static final RecordCodec<Timed> CODEC = RecordCodec.of(Timed.class).exact();
  private static final RecordCodec<Timed> SHARING = CODEC.sharing();

  /** What is said where a single controller finds the state of one of several. */
  public static final String OF_GROUP =
      " holds the state of one of several controllers: start it with all their SlurmctldHost lines,"
          + " or make it that of a single one with slurmctld --single (docs/admin/operate.md)";

  private EventJournal() {}

  /**
   * An event and the time of the command that it came from.
   *
   * @param at when the command was decided
   * @param event what happened
   */
  public record Timed(Instant at, Event event) {}

  /** The record of a batch, while it grows. One thread. */
  public static final class Batch {
    private final RecordCodec<Timed>.Row row = SHARING.row();

    /**
     * Adds the events of one decision.
     *
     * @param at when it was decided
     */
    public void add(Instant at, List<Event> events) {
      for (Event event : events) {
        row.add(new Timed(at, event));
      }
    }

    /** Bytes of what was added. */
    public int size() {
      return row.size();
    }

    /** Takes back what was added when there were more than so many bytes. */
    public void cut(int size) {
      row.cut(size);
    }

    /** For {@link Journal#append}; none if nothing was added. */
    public List<byte[]> records() {
      if (row.size() == 0) {
        return List.of();
      }
      byte[] body = row.toByteArray();
      byte[] record = new byte[HEAD + body.length];
      record[0] = EVENTS;
      record[1] = VERSION;
      System.arraycopy(body, 0, record, HEAD, body.length);
      return List.of(record);
    }
  }

  /**
   * The events of one decision alone, for {@link Journal#append}.
   *
   * @param at when it was decided
   */
  public static List<byte[]> records(Instant at, List<Event> events) {
    Batch batch = new Batch();
    batch.add(at, events);
    return batch.records();
  }

  /** Whether a record is of this journal, and not of a member's. */
  public static boolean isOne(byte[] payload) {
    return payload.length > 0 && (payload[0] == EVENT || payload[0] == EVENTS);
  }

  /** Whether a record is what one of several controllers keeps. */
  static boolean isMembers(byte[] payload) {
    return payload.length > 0 && payload[0] == MEMBERS;
  }

  /**
   * The events of a record.
   *
   * @param place where the journal lies, or the file that the record is in, for the message
   * @throws JournalRefusedException if it is of a kind or version that this program does not know
   */
  public static List<Timed> decode(Path place, JournalRecord record)
      throws JournalRefusedException {
    byte[] payload = record.payload();
    if (isMembers(payload)) {
      throw new JournalRefusedException(place + OF_GROUP);
    }
    if (payload.length < HEAD || !isOne(payload) || payload[1] != VERSION) {
      throw unknown(place, record, "is of an unknown kind");
    }
    byte[] body = Arrays.copyOfRange(payload, HEAD, payload.length);
    try {
      return payload[0] == EVENT ? List.of(CODEC.decode(body)) : SHARING.decodeAll(body);
    } catch (MalformedMessageException e) {
      throw unknown(place, record, "cannot be read (" + e.getMessage() + ")");
    }
  }

  private static JournalRefusedException unknown(Path place, JournalRecord record, String what) {
    return new JournalRefusedException(
        place
            + ": record "
            + record.sequence()
            + " "
            + what
            + "; start the newer program that wrote it, or "
            + JournalRefusedException.RESTORE);
  }
}

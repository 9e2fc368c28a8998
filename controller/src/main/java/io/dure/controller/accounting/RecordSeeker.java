package io.dure.controller.accounting;

import io.dure.controller.replica.PeerTransport;
import io.dure.journal.AccountingLog;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other controllers of a group, one after the other, for records that this one lacks.
 * Messages may be lost. One thread.
 */
public final class RecordSeeker {
  /** No message of the group's log begins so. */
  private static final byte[] SIGN = {(byte) 0xFF, 'R', 'E', 'C'};

  private static final byte WANTED = 1;
  private static final byte GIVEN = 2;
  private static final int HEAD = SIGN.length + 1;
  private static final RecordCodec<Wanted> QUESTION = RecordCodec.of(Wanted.class);
  private static final RecordCodec<Given> ANSWER = RecordCodec.of(Given.class).exact().sharing();
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final PeerTransport transport;
  private final List<String> others;
  private final Patience patience;
  private int turn;
  private int questions;
  private Instant asked = Instant.EPOCH;
  private long wanted = -1;

  /**
   * For how many questions in a row it goes on to look for a better answer, with {@link #AGAIN}
   * between them. They are counted, since a clock that was set forward, or a machine that was
   * suspended, has asked nobody meanwhile.
   *
   * @param all one is sought that has all that is missing
   * @param any one is sought that has some of it
   */
  record Patience(int all, int any) {
    /** Ten minutes, and an hour. */
    static final Patience USUAL = new Patience(300, 1800);
  }

  /**
   * What a controller lacks.
   *
   * @param after the records of the events behind the first so many
   */
  public record Wanted(long after) {}

  /**
   * What another has of it.
   *
   * @param after as in the question
   * @param previous nothing is missing between it and {@code upTo}
   * @param upTo count of the events up to which these records are
   */
  public record Given(long after, long previous, long upTo, List<AccountingLog.Entry> entries) {}

  /**
   * With the way to the others.
   *
   * @param others their hosts, none for a lone controller
   */
  public RecordSeeker(PeerTransport transport, List<String> others) {
    this(transport, others, Patience.USUAL);
  }

  RecordSeeker(PeerTransport transport, List<String> others, Patience patience) {
    this.transport = transport;
    this.others = others;
    this.patience = patience;
  }

  boolean isAlone() {
    return others.isEmpty();
  }

  /** Records are missing from now on. */
  void begin() {
    questions = 0;
    asked = Instant.EPOCH;
    wanted = -1;
  }

  /** Asks, unless the answer to the same question may still come. */
  void ask(long after, Instant now) {
    if (after == wanted && now.isBefore(asked.plus(AGAIN)) && !now.isBefore(asked)) {
      return;
    }
    if (after == wanted) {
      turn++; // that one did not answer, or not well
    }
    wanted = after;
    asked = now;
    questions++;
    transport.send(
        others.get(Math.floorMod(turn, others.size())),
        framed(WANTED, QUESTION.encode(new Wanted(after))));
  }

  /** Whether an answer brings it further; one that leaves some out only where none is better. */
  boolean takes(Given part, long after) {
    boolean good = part.after() == after && part.upTo() > after;
    if (!good || part.previous() > after && questions < patience.all()) {
      return false;
    }
    questions = 0;
    return true;
  }

  boolean isHopeless() {
    return questions >= patience.any();
  }

  private static byte[] framed(byte kind, byte[] body) {
    byte[] frame = Arrays.copyOf(SIGN, HEAD + body.length);
    frame[SIGN.length] = kind;
    System.arraycopy(body, 0, frame, HEAD, body.length);
    return frame;
  }

  /** Whether a message of another controller is of records. */
  public static boolean isOfRecords(byte[] frame) {
    return frame.length >= HEAD && Arrays.equals(SIGN, 0, SIGN.length, frame, 0, SIGN.length);
  }

  /** The question in a message, null if it has none. */
  static @Nullable Wanted question(byte[] frame) {
    return body(frame, WANTED, QUESTION);
  }

  /** The answer in a message, null if it has none. */
  public static @Nullable Given answer(byte[] frame) {
    return body(frame, GIVEN, ANSWER);
  }

  private static <T> @Nullable T body(byte[] frame, byte kind, RecordCodec<T> codec) {
    if (!isOfRecords(frame) || frame[SIGN.length] != kind) {
      return null;
    }
    try {
      return codec.decode(Arrays.copyOfRange(frame, HEAD, frame.length));
    } catch (MalformedMessageException e) {
      return null; // of another release; asked again, or asks again
    }
  }

  static byte[] message(Given part) {
    return framed(GIVEN, ANSWER.encode(part));
  }
}

package io.dure.journal.segment;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * One record as it lies in a segment, big-endian: length of the whole frame (4 bytes), CRC32C (4)
 * over the segment's salt and all that follows, sequence (8), place in its round (4), whether it
 * ends its batch (1), payload.
 *
 * <p>A round is what one sync made durable. A round is written only after the one before it is
 * durable, so a valid frame proves that all records before its round were durable once: this tells
 * a torn tail, which was never acknowledged, from damage to promised records. The salt keeps bytes
 * that a user chose from ever reading as a frame.
 *
 * <p>A mark is a frame without payload whose last byte is {@link #END} or {@link #GOES_ON}. It
 * stands behind the last record, is written when that is durable, and gives its place to the next
 * round. So the last round has a proof of its own as soon as the journal rests.
 *
 * @param sequence number of the record
 * @param place 0 for the first of its round
 * @param endsBatch whether the batch is complete with this one
 * @param offset where the frame begins in its segment
 * @param length whole length in bytes
 */
public record JournalFrame(long sequence, int place, boolean endsBatch, long offset, int length) {
  public static final int HEADER = 21;

  /** Longest payload in bytes: far above any job script, far below what an array can hold. */
  public static final int MAX_PAYLOAD = 256 * 1024 * 1024;

  /** Mark: the record before this number is durable, and none follows yet. */
  public static final byte END = 2;

  /** Mark: the same, and the record of this number begins a segment that was made. */
  public static final byte GOES_ON = 3;

  private static final int KIND_AT = 20;
  private static final int CRC_END = 8;

  /** The last record that was surely durable when this one was written. */
  long proven() {
    return sequence - place - 1;
  }

  /** Bytes that a payload takes in a segment. */
  public static int lengthOf(byte[] payload) {
    return HEADER + payload.length;
  }

  /** The frame's first {@link #HEADER} bytes. */
  public static byte[] header(
      long salt, long sequence, int place, boolean endsBatch, byte[] payload) {
    return header(salt, sequence, place, (byte) (endsBatch ? 1 : 0), payload);
  }

  /** A mark before that record. */
  public static byte[] mark(long salt, long sequence, byte kind) {
    return header(salt, sequence, 0, kind, new byte[0]);
  }

  private static byte[] header(long salt, long sequence, int place, byte kind, byte[] payload) {
    byte[] bytes = new byte[HEADER];
    ByteBuffer header = ByteBuffer.wrap(bytes);
    header.putInt(0, lengthOf(payload));
    header.putLong(8, sequence);
    header.putInt(16, place);
    header.put(KIND_AT, kind);
    CRC32C crc = start(salt, bytes, 0);
    crc.update(payload, 0, payload.length);
    header.putInt(4, (int) crc.getValue());
    return bytes;
  }

  /** Whether bytes at {@code at} may begin a frame, before any checksum. */
  static boolean plausible(byte[] bytes, int at, long room) {
    int length = ByteBuffer.wrap(bytes).getInt(at);
    byte kind = bytes[at + KIND_AT];
    return length >= HEADER && length <= room && (kind == 0 || kind == 1);
  }

  /** The kind of the mark that lies there whole, 0 if none does. */
  static byte markAt(long salt, byte[] bytes, int at) {
    byte kind = bytes[at + KIND_AT];
    boolean mark =
        (kind == END || kind == GOES_ON)
            && ByteBuffer.wrap(bytes).getInt(at) == HEADER
            && intact(salt, bytes, at);
    return mark ? kind : 0;
  }

  /** Whether the checksum of the frame at {@code at}, all of whose bytes are there, is right. */
  static boolean intact(long salt, byte[] bytes, int at) {
    ByteBuffer view = ByteBuffer.wrap(bytes);
    CRC32C crc = start(salt, bytes, at);
    crc.update(bytes, at + HEADER, view.getInt(at) - HEADER);
    return (int) crc.getValue() == view.getInt(at + 4);
  }

  /** The frame that begins at {@code at} of {@code bytes} and at {@code offset} of its segment. */
  static JournalFrame of(byte[] bytes, int at, long offset) {
    ByteBuffer view = ByteBuffer.wrap(bytes);
    return new JournalFrame(
        view.getLong(at + 8),
        view.getInt(at + 16),
        bytes[at + KIND_AT] == 1,
        offset,
        view.getInt(at));
  }

  private static CRC32C start(long salt, byte[] bytes, int at) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putLong(salt).flip());
    crc.update(bytes, at, 4);
    crc.update(bytes, at + CRC_END, HEADER - CRC_END);
    return crc;
  }
}

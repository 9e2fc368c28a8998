package io.dure.journal.segment;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a segment: magic (8), format version (4), CRC32C of all but itself (4),
 * salt (8), number of the first record (8), length of the file (8), zeros. Magic, version and
 * checksum stay where they are in every version.
 *
 * @param salt random, part of every checksum in the segment
 * @param firstSequence number of its first record
 * @param size length with which the file was made, 0 if it does not say
 */
public record SegmentHeader(long salt, long firstSequence, long size) {
  public static final int BYTES = 64;
  static final int VERSION = 1;
  private static final byte[] MAGIC = "DUREJRNL".getBytes(StandardCharsets.US_ASCII);
  private static final int CRC_AT = 12;

  ByteBuffer bytes() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.put(MAGIC).putInt(VERSION).putInt(0).putLong(salt).putLong(firstSequence);
    out.putLong(size).clear();
    out.putInt(CRC_AT, crc(out.array()));
    return out;
  }

  /** Reads it; {@code bytes} are the file's first {@link #BYTES}, or fewer if it is shorter. */
  static SegmentHeader parse(Path file, ByteBuffer bytes) throws JournalRefusedException {
    if (bytes.remaining() < BYTES || bytes.mismatch(ByteBuffer.wrap(MAGIC)) != MAGIC.length) {
      throw new JournalRefusedException(
          file + ":0: not a Dure journal; " + JournalRefusedException.RESTORE, true);
    }
    byte[] header = new byte[BYTES];
    bytes.get(bytes.position(), header);
    ByteBuffer view = ByteBuffer.wrap(header);
    if (view.getInt(CRC_AT) != crc(header)) {
      throw new JournalRefusedException(
          file + ":0: the head of this journal file is damaged; " + JournalRefusedException.RESTORE,
          true);
    }
    checkVersion(file, view.getInt(8), VERSION);
    return new SegmentHeader(view.getLong(16), view.getLong(24), view.getLong(32));
  }

  private static int crc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC_AT);
    crc.update(header, CRC_AT + 4, BYTES - CRC_AT - 4);
    return (int) crc.getValue();
  }

  /** Refuses what a newer program wrote. */
  static void checkVersion(Path file, int found, int known) throws JournalRefusedException {
    if (found != known) {
      throw new JournalRefusedException(
          file
              + ":8: format version "
              + found
              + " is not known to this program, which reads version "
              + known
              + "; start the newer program that wrote it, or restore the backup from before");
    }
  }
}

package io.dure.controller.replica.raft;

import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a member's records and snapshots are written as bytes in its journal. */
public final class RaftStoreFormat {
  /** First byte of a record; those of a standalone controller have another. */
  private static final byte KIND = 2;

  private static final byte VERSION = 1;
  private static final byte[] MAGIC = "DURERAFT".getBytes(StandardCharsets.US_ASCII);
  private static final RecordCodec<RaftStoreRecord> CODEC =
      RecordCodec.of(RaftStoreRecord.class).exact();

  private RaftStoreFormat() {}

  public static byte[] record(RaftStoreRecord record) {
    byte[] body = CODEC.encode(record);
    return ByteBuffer.allocate(body.length + 2).put(KIND).put(VERSION).put(body).array();
  }

  /**
   * The record of these bytes, null if they are none.
   *
   * @throws MalformedMessageException if they are one that this program does not know
   */
  static @Nullable RaftStoreRecord record(byte[] bytes) {
    return bytes.length < 2 || bytes[0] != KIND || bytes[1] != VERSION
        ? null
        : CODEC.decode(Arrays.copyOfRange(bytes, 2, bytes.length));
  }

  static byte[] image(RaftStoreRecord.Image image) {
    byte[] body = CODEC.encode(image);
    return ByteBuffer.allocate(MAGIC.length + body.length).put(MAGIC).put(body).array();
  }

  /** Whether these bytes begin as the snapshot of a member does. */
  public static boolean isImage(byte[] bytes) {
    int magic = MAGIC.length;
    return bytes.length >= magic && Arrays.equals(MAGIC, 0, magic, bytes, 0, magic);
  }

  /** The image that begins a snapshot, null if a standalone controller wrote the snapshot. */
  static RaftStoreRecord.@Nullable Image image(byte[] bytes) {
    if (!isImage(bytes)) {
      return null;
    }
    if (CODEC.decode(Arrays.copyOfRange(bytes, MAGIC.length, bytes.length))
        instanceof RaftStoreRecord.Image image) {
      return image;
    }
    throw new MalformedMessageException("no snapshot");
  }
}

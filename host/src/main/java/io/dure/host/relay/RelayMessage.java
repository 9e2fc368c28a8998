package io.dure.host.relay;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A frame of a step with the node that it goes to or comes from, as relays pass it on: the node's
 * index (4 bytes), the frame's type (1 byte), its payload. docs/step-wire.md has the types.
 */
final class RelayMessage {
  /** To all nodes. */
  static final int ALL = -1;

  /** With a group's number: to all nodes of it. */
  static final int GROUP = 0x8000_0000;

  /** Comes instead of frames of a node that is reached no more; the payload says why. */
  static final byte LOST = 'Q';

  private static final int HEAD = 5;

  private RelayMessage() {}

  static byte[] of(int address, byte type, byte[] payload) {
    return ByteBuffer.allocate(HEAD + payload.length)
        .putInt(address)
        .put(type)
        .put(payload)
        .array();
  }

  static byte[] lost(int node, String why) {
    return of(node, LOST, (why + "\0").getBytes(StandardCharsets.UTF_8));
  }

  /** That nothing was started there. */
  static byte[] refused(int node, String why) {
    byte[] text = (why + "\0").getBytes(StandardCharsets.UTF_8);
    return of(node, (byte) 'R', ByteBuffer.allocate(4 + text.length).putInt(0).put(text).array());
  }

  static boolean isWhole(byte[] message) {
    return message.length >= HEAD;
  }

  static int address(byte[] message) {
    return ByteBuffer.wrap(message).getInt();
  }

  static byte type(byte[] message) {
    return message[HEAD - 1];
  }

  /** Whether nothing follows from that node. */
  static boolean isLast(byte[] message) {
    return switch (type(message)) {
      case 'Z', 'F', 'R', LOST -> true;
      default -> false;
    };
  }

  static byte[] payload(byte[] message) {
    return Arrays.copyOfRange(message, HEAD, message.length);
  }

  /** The frame as it stands on a step's own connections. */
  static byte[] frame(byte[] message) {
    int length = message.length - HEAD;
    return ByteBuffer.allocate(message.length)
        .put(type(message))
        .putInt(length)
        .put(message, HEAD, length)
        .array();
  }
}

package io.dure.cli.scontrol.cluster;

/**
 * TurboSHAKE128 as RFC 9861 describes it: a sponge of 200 bytes over 12 rounds of Keccak, of which
 * each round takes in 168. For one thread and one message.
 */
final class TurboShake {
  private static final int RATE = 168;
  private static final int LANES = 25;

  private static final long[] CONSTANTS = {
    0x000000008000808BL, 0x800000000000008BL, 0x8000000000008089L, 0x8000000000008003L,
    0x8000000000008002L, 0x8000000000000080L, 0x000000000000800AL, 0x800000008000000AL,
    0x8000000080008081L, 0x8000000000008080L, 0x0000000080000001L, 0x8000000080008008L,
  };

  private final long[] lanes = new long[LANES];
  private int at;

  /** Takes bytes in. */
  void absorb(byte[] bytes, int from, int count) {
    for (int i = 0; i < count; i++) {
      mix(at++, bytes[from + i]);
      if (at == RATE) {
        permute();
        at = 0;
      }
    }
  }

  /** Takes all of the bytes in. */
  void absorb(byte... bytes) {
    absorb(bytes, 0, bytes.length);
  }

  /**
   * Ends the message.
   *
   * @param domain what the message is of, 1 to 127
   * @param length how many bytes are wanted, at most 168
   */
  byte[] finish(int domain, int length) {
    mix(at, (byte) domain);
    mix(RATE - 1, (byte) 0x80);
    permute();
    byte[] out = new byte[length];
    for (int i = 0; i < length; i++) {
      out[i] = (byte) (lanes[i / 8] >>> (8 * (i % 8)));
    }
    return out;
  }

  private void mix(int place, byte value) {
    lanes[place / 8] ^= (value & 0xFFL) << (8 * (place % 8));
  }

  private void permute() {
    for (long constant : CONSTANTS) {
      theta();
      rotateAndPlace();
      chi();
      lanes[0] ^= constant;
    }
  }

  private void theta() {
    long[] columns = new long[5];
    for (int i = 0; i < LANES; i++) {
      columns[i % 5] ^= lanes[i];
    }
    for (int i = 0; i < LANES; i++) {
      lanes[i] ^= columns[(i + 4) % 5] ^ Long.rotateLeft(columns[(i + 1) % 5], 1);
    }
  }

  /**
   * Each lane is rotated by the next triangular number and goes where the one before it came from.
   */
  private void rotateAndPlace() {
    int x = 1;
    int y = 0;
    long moved = lanes[1];
    for (int step = 0; step < 24; step++) {
      int nextY = (2 * x + 3 * y) % 5;
      x = y;
      y = nextY;
      long kept = lanes[x + 5 * y];
      lanes[x + 5 * y] = Long.rotateLeft(moved, (step + 1) * (step + 2) / 2 % 64);
      moved = kept;
    }
  }

  private void chi() {
    long[] row = new long[5];
    for (int y = 0; y < LANES; y += 5) {
      System.arraycopy(lanes, y, row, 0, 5);
      for (int x = 0; x < 5; x++) {
        lanes[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
      }
    }
  }
}

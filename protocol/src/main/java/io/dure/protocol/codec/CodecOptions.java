package io.dure.protocol.codec;

/**
 * How a codec writes and reads, see {@link RecordCodec}.
 *
 * @param strict null is refused where it is not expected
 * @param exact what a newer version wrote is refused
 * @param sharing a value that equals the one before it takes one byte
 * @param grouped shares of nodes stay in groups
 */
record CodecOptions(boolean strict, boolean exact, boolean sharing, boolean grouped) {
  static final CodecOptions NONE = new CodecOptions(false, false, false, false);

  CodecOptions strictly() {
    return new CodecOptions(true, exact, sharing, grouped);
  }

  CodecOptions exactly() {
    return new CodecOptions(strict, true, sharing, grouped);
  }

  CodecOptions withSharing() {
    return new CodecOptions(strict, exact, true, grouped);
  }

  CodecOptions withGroups() {
    return new CodecOptions(strict, exact, sharing, true);
  }
}

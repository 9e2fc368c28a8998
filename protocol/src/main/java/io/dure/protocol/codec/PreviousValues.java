package io.dure.protocol.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The latest value of each shape in one encoding, so that one which equals it need not be written
 * again. One thread.
 */
final class PreviousValues {
  private @Nullable Object[] values = new @Nullable Object[64];

  @Nullable Object get(int shape) {
    return shape < values.length ? values[shape] : null;
  }

  void set(int shape, Object value) {
    if (shape >= values.length) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, shape + 1));
    }
    values[shape] = value;
  }
}

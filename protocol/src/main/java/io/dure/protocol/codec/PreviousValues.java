package io.dure.protocol.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The latest value of each shape in one encoding, so that one which equals it need not be written
 * again. One thread.
 */
final class PreviousValues {
  private @Nullable Object[] values = new @Nullable Object[64];

  /** Those of the encodings before, until this one has one of its own. */
  private @Nullable Object[] earlier = new @Nullable Object[0];

  @Nullable Object get(int shape) {
    return shape < values.length ? values[shape] : null;
  }

  void set(int shape, Object value) {
    if (shape >= values.length) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, shape + 1));
    }
    values[shape] = value;
  }

  /** The value of an encoding before, once; null where there is none or this one has its own. */
  @Nullable Object takeEarlier(int shape) {
    if (shape >= earlier.length) {
      return null;
    }
    Object value = earlier[shape];
    earlier[shape] = null;
    return value;
  }

  /** Another encoding begins. */
  void next() {
    for (int i = 0; i < earlier.length; i++) {
      if (values[i] == null) {
        values[i] = earlier[i];
      }
    }
    earlier = values;
    values = new @Nullable Object[earlier.length];
  }
}

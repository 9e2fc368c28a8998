package io.dure.model.jobtext;

import org.jspecify.annotations.Nullable;

/**
 * A value that is sent and kept as the text that it was read from. It has a constructor with that
 * text, which accepts any: what cannot be understood is a value that says so.
 */
public interface TextValue {
  /** The text as typed. */
  String text();

  /** The text of a value, null where there is none. */
  static @Nullable String textOf(@Nullable TextValue value) {
    return value == null ? null : value.text();
  }
}

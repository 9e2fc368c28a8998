package io.dure.model;

/** What to do with an output file that exists. */
public enum OpenMode {
  /** JobFileAppend of the configuration decides. */
  DEFAULT,
  APPEND,
  TRUNCATE
}

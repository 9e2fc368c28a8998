package io.dure.model.request;

/** What to do with an output file that exists. */
public enum OpenMode {
  /** JobFileAppend of the configuration decides. */
  DEFAULT,
  APPEND,
  TRUNCATE
}

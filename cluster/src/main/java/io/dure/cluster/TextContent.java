package io.dure.cluster;

/**
 * What a text says, wherever that is kept. Immutable; any thread.
 *
 * @see TextStorage
 */
public interface TextContent {
  /** Characters, at least 1. */
  int length();

  /**
   * What it says, read anew each time where it is not in memory.
   *
   * @throws UnreadableTextException if it cannot be read now
   */
  String read();

  /** A text that is in memory. */
  record InMemory(String text) implements TextContent {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public String read() {
      return text;
    }
  }
}

package io.dure.cluster;

/**
 * Where a state keeps what its scripts and environments say. A place outside the memory is no more
 * than a cache: the texts come from the journal, and it is empty when the program begins.
 */
@FunctionalInterface
public interface TextStorage {
  /** All in memory. */
  TextStorage IN_MEMORY = TextContent.InMemory::new;

  /**
   * Keeps a text for as long as something refers to what is returned. Always succeeds: what cannot
   * be put elsewhere stays in memory.
   */
  TextContent keep(String text);
}

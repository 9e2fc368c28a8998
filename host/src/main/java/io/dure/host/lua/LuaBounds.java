package io.dure.host.lua;

/**
 * How much a script may take.
 *
 * @param memoryMib MiB of one process
 * @param seconds of one call
 * @param processes how many run at a time
 */
public record LuaBounds(int memoryMib, int seconds, int processes) {
  /** Those of a script that runs for each submission: commands wait 10 s for an answer. */
  public static final LuaBounds USUAL = new LuaBounds(256, 5, 4);

  /** Those of a script that runs in a user's own command, which may ask slow programs. */
  public static final LuaBounds OF_COMMAND = new LuaBounds(1024, 300, 1);
}

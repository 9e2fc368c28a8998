package io.dure.model;

/**
 * How a process ended, as Slurm prints it ({@code code:signal}).
 *
 * @param code exit code, 0 to 255
 * @param signal signal that ended it, 0 for none
 */
public record ExitStatus(int code, int signal) {
  /** Ended well. */
  public static final ExitStatus OK = new ExitStatus(0, 0);

  /** {@code code:signal}. */
  public String text() {
    return code + ":" + signal;
  }
}

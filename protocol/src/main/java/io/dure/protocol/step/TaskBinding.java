package io.dure.protocol.step;

/**
 * What the tasks of a step are to be bound to.
 *
 * @param cpu CPUs
 * @param memory domains of memory
 * @param gpus an argument of {@code --gpu-bind}, empty where nothing is said
 * @param sockets how tasks are given to the sockets of a node: {@code block}, {@code cyclic} or
 *     {@code fcyclic}; empty where nothing is said
 * @param threadsPerCore threads of each core that may be used, 0 for all
 * @param tasksPerCore most tasks of a core, 0 where that is not said
 * @param tasksPerSocket most tasks of a socket, 0 where that is not said
 */
public record TaskBinding(
    Choice cpu,
    Choice memory,
    String gpus,
    String sockets,
    int threadsPerCore,
    int tasksPerCore,
    int tasksPerSocket) {
  /** Nothing is said. */
  public static final TaskBinding NONE = new TaskBinding(Choice.NONE, Choice.NONE, "", "", 0, 0, 0);

  /**
   * An argument of {@code --cpu-bind} or {@code --mem-bind}.
   *
   * @param verbose whether it is told what was bound
   * @param type what tasks are bound to, with a colon at its end where a list follows; empty where
   *     nothing is said
   * @param list numbers or masks
   * @param prefers whether others do where these are full; of memory alone
   */
  public record Choice(boolean verbose, String type, String list, boolean prefers) {
    /** Nothing is said. */
    public static final Choice NONE = new Choice(false, "", "", false);
  }
}

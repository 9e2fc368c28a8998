package io.dure.model.hetjob;

/**
 * A job's place in a heterogeneous job: several jobs, its components, that start together or not at
 * all. The first leads: the script runs there, and the run of all ends with its own.
 *
 * @param leader id of the first; the others have the ids behind it
 * @param offset place among them, 0 for the first
 * @param size how many there are, at least 2
 */
public record HetComponent(int leader, int offset, int size) {
  /** Most components. */
  public static final int MOST = 128;

  /** Whether the script runs in this one. */
  public boolean leads() {
    return offset == 0;
  }

  /** The id of the last component. */
  public int last() {
    return leader + size - 1;
  }

  /** All ids as Slurm prints them: {@code 12-14}. */
  public String idSet() {
    return leader + "-" + last();
  }
}

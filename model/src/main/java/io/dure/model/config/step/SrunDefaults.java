package io.dure.model.config.step;

/**
 * What {@code srun} does where its call says nothing.
 *
 * @param killsOnBadExit whether a task that fails ends the step
 * @param waitSeconds from the end of the first task to that of the step; 0 for ever
 * @param prolog is run by {@code srun} before a step is launched, on its own machine; empty for
 *     none
 * @param epilog is run so after a step; empty for none
 */
public record SrunDefaults(boolean killsOnBadExit, int waitSeconds, String prolog, String epilog) {
  /** With no word in the file. */
  public static final SrunDefaults USUAL = new SrunDefaults(false, 0, "", "");
}

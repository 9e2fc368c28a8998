package io.dure.model.config;

/**
 * What the controller runs and writes on its own account; texts are empty for nothing.
 *
 * @param mail sends mail to users: is called with {@code -s SUBJECT ADDRESS}
 * @param mailDomain what is put behind addresses without an @
 * @param completion how ended jobs are recorded
 * @param completionPlace the file, or the program, that records them
 * @param primaryOn is run when the controller begins to lead
 * @param primaryOff is run when it ends to
 * @param reservationProlog is run with the name of a reservation when that begins
 * @param reservationEpilog is run when it ends
 */
public record ControllerPrograms(
    String mail,
    String mailDomain,
    Completion completion,
    String completionPlace,
    String primaryOn,
    String primaryOff,
    String reservationProlog,
    String reservationEpilog) {

  /** Those of a cluster that says nothing of it. */
  public static final ControllerPrograms USUAL =
      new ControllerPrograms("/bin/mail", "", Completion.NONE, "", "", "", "", "");

  /** How ended jobs are recorded. */
  public enum Completion {
    NONE,
    /** A line of a file each. */
    FILE,
    /** A program is run for each. */
    SCRIPT
  }
}

package io.dure.model.config.slurmconf;

/**
 * One finding about a configuration, with its place.
 *
 * @param file the file as it was named
 * @param line the line in it, from 1; 0 when the finding is about the file as a whole
 * @param key the key concerned, empty when there is none
 * @param message what is wrong, without a full stop
 * @param remedy what to do about it, empty when nothing need be done
 */
public record ConfigDiagnostic(
    Severity severity, String file, int line, String key, String message, String remedy) {

  /** What a finding means for the program that reads the file. */
  public enum Severity {
    /** A daemon refuses to start. */
    ERROR("error"),
    /** Read as it stands, though perhaps not as it was meant. */
    WARNING("warning"),
    /** A key of Slurm that Dure reads and does not act on. */
    NO_EFFECT("no effect yet"),
    /** Worth knowing. */
    INFO("note");

    private final String word;

    Severity(String word) {
      this.word = word;
    }

    /** The word that reports print. */
    public String word() {
      return word;
    }
  }
}

package io.dure.model.config;

import java.time.Duration;

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
 * @param completionOptions JobCompParams
 */
public record ControllerPrograms(
    String mail,
    String mailDomain,
    Completion completion,
    String completionPlace,
    String primaryOn,
    String primaryOff,
    String reservationProlog,
    String reservationEpilog,
    String completionOptions) {

  /** Those of a cluster that says nothing of it. */
  public static final ControllerPrograms USUAL =
      new ControllerPrograms("/bin/mail", "", Completion.NONE, "", "", "", "", "", "");

  /** How long a server may take to connect, and to answer, where JobCompParams does not say. */
  private static final int CONNECT_SECONDS = 5;

  private static final int ANSWER_SECONDS = 30;

  /** How long a server that records may take to be connected to. */
  public Duration connectTimeout() {
    return Duration.ofSeconds(option("connect_timeout=", CONNECT_SECONDS));
  }

  /** How long it may take to answer. */
  public Duration answerTimeout() {
    return Duration.ofSeconds(option("timeout=", ANSWER_SECONDS));
  }

  private int option(String key, int usual) {
    for (String word : completionOptions.split(",", -1)) {
      String digits = word.startsWith(key) ? word.substring(key.length()) : "";
      if (!digits.isEmpty() && digits.length() < 6 && digits.chars().allMatch(Character::isDigit)) {
        return Math.max(1, Integer.parseInt(digits));
      }
    }
    return usual;
  }

  /** How ended jobs are recorded. */
  public enum Completion {
    NONE,
    /** A line of a file each. */
    FILE,
    /** A program is run for each. */
    SCRIPT,
    /** A line of a file each, as JSON. */
    JSON_LINES,
    /** Each is sent as a document to a server of Elasticsearch's kind. */
    DOCUMENT,
    /** They are sent as records to a REST proxy of Kafka. */
    TOPIC
  }
}

package io.dure.faults.corruption;

/**
 * What a start made of damage.
 *
 * @param outcome in a word
 * @param words what was said, or what is wrong
 */
record RecoveryVerdict(Outcome outcome, String words) {

  /** The ways in which it can end. */
  enum Outcome {
    /** Refused with the file's name and a way out, and everything left as it was. */
    REFUSED("refused"),
    /** Told, and the state is the true one. */
    REPAIRED("mended"),
    /** Set aside, and the state came from the other controllers. */
    FROM_OTHERS("from others"),
    /** Not told; the state, the key, the certificates are the true ones to the last byte. */
    UNTOLD("not told"),
    /** Another state than the true one, a refusal without words, or no end. */
    MISSED("MISSED");

    final String text;

    Outcome(String text) {
      this.text = text;
    }
  }

  static RecoveryVerdict missed(String words) {
    return new RecoveryVerdict(Outcome.MISSED, words);
  }
}

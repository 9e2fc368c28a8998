package io.dure.model.job;

import java.time.Instant;

/**
 * A job's name that no other job has and that sorts by the time of submission, in the form of
 * Slurm's SLUID: {@code s} and 13 digits to the base 32, without I, L, O and U. It follows from
 * when the job was submitted and its number, so that it needs no place of its own.
 */
final class Sluid {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 13;
  private static final int BITS = 5;
  private static final int OF_NUMBER = 22;

  private Sluid() {}

  static String of(Instant submitted, int jobId) {
    long value = submitted.toEpochMilli() << OF_NUMBER | jobId & (1L << OF_NUMBER) - 1;
    char[] text = new char[LENGTH + 1];
    text[0] = 's';
    for (int at = LENGTH; at > 0; at--) {
      text[at] = DIGITS.charAt((int) (value & (1 << BITS) - 1));
      value >>>= BITS;
    }
    return new String(text);
  }
}

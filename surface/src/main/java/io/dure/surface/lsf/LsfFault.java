package io.dure.surface.lsf;

/** Something that LSF would not take either; its message says what. */
public final class LsfFault extends Exception {
  private static final long serialVersionUID = 1L;

  LsfFault(String text) {
    super(text, null, false, false);
  }

  /** What is wrong. */
  public String text() {
    return String.valueOf(getMessage());
  }
}

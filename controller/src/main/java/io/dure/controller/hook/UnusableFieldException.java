package io.dure.controller.hook;

/** A value in {@code job_desc} that cannot be asked for. */
final class UnusableFieldException extends Exception {
  private static final long serialVersionUID = 1;

  private static final int SHOWN = 200;

  UnusableFieldException(String field, Object value) {
    super("job_desc." + field + " cannot be \"" + shortened(String.valueOf(value)) + "\"");
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}

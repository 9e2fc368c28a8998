package io.dure.conventions.tidy;

/**
 * A place where a rule does not hold.
 *
 * @param rule the rule's name, as the exception list writes it
 * @param subject what breaks it, without blanks: a path, or a path and a method
 * @param amount how large it is where a budget is broken, else 1
 * @param place where to look, for people
 * @param message what is wrong and, where that is not plain, what to do
 */
record Finding(String rule, String subject, int amount, String place, String message) {
  @Override
  public String toString() {
    return place + ": " + message + " [" + rule + "]";
  }
}

package io.dure.controller.script;

import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of a mail. They are what a user wrote, and arguments of a program that runs as
 * SlurmUser: to programs for mail a word with a pipe is a command, one with a slash a file.
 *
 * @param sent those that are nothing but addresses
 * @param refused the others
 */
record MailAddresses(List<String> sent, List<String> refused) {
  private static final int LONGEST = 1_000;
  private static final String SIGNS = "_.+=%@-";

  /**
   * Reads addresses set apart by commas.
   *
   * @param domain what stands behind the "@" of those that have none; empty for nothing
   */
  static MailAddresses of(String text, String domain) {
    List<String> sent = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      boolean whole = domain.isEmpty() || word.isEmpty() || word.indexOf('@') >= 0;
      String address = whole ? word : word + "@" + domain;
      (isAddress(address) && text.length() <= LONGEST ? sent : refused).add(address);
    }
    return new MailAddresses(List.copyOf(sent), List.copyOf(refused));
  }

  private static boolean isAddress(String text) {
    return !text.isEmpty()
        && (isLetterOrDigit(text.codePointAt(0)) || text.charAt(0) == '_')
        && text.codePoints().allMatch(c -> isLetterOrDigit(c) || SIGNS.indexOf(c) >= 0);
  }

  private static boolean isLetterOrDigit(int letter) {
    return letter >= '0' && letter <= '9' || Character.isLetter(letter);
  }
}

package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * What of the accounts binds jobs ({@code AccountingStorageEnforce}).
 *
 * @param associations jobs need an association
 * @param limits limits hold
 * @param qos jobs may have only the QOS of their association
 * @param safe jobs start only if they can end within the minutes left
 */
public record AccountingEnforcement(
    boolean associations, boolean limits, boolean qos, boolean safe) {
  /** Nothing binds. */
  public static final AccountingEnforcement NONE =
      new AccountingEnforcement(false, false, false, false);

  /** What the words of the configuration mean; each includes those before it. */
  public static AccountingEnforcement of(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      words.add(word.strip());
    }
    TreeSet<String> set = new TreeSet<>(words);
    boolean all = set.contains("all");
    boolean one = set.contains("1") || set.contains("yes");
    boolean safe = all || set.contains("safe");
    boolean limits = safe || set.contains("limits");
    boolean qos = all || set.contains("qos");
    boolean associations =
        one || limits || qos || set.contains("associations") || set.contains("wckeys");
    return new AccountingEnforcement(associations, limits, qos, safe);
  }
}

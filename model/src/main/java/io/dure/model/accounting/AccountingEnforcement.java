package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of the accounts binds jobs ({@code AccountingStorageEnforce}).
 *
 * @param associations jobs need an association
 * @param limits limits hold
 * @param qos jobs may have only the QOS of their association
 * @param safe jobs start only if they can end within the minutes left
 * @param keys what becomes of workload keys, null for nothing
 */
public record AccountingEnforcement(
    boolean associations,
    boolean limits,
    boolean qos,
    boolean safe,
    AccountingEnforcement.@Nullable Wckeys keys) {
  /** What becomes of workload keys ({@code TrackWCKey}). */
  public enum Wckeys {
    /** Jobs that name none have the default of their user. */
    TRACKED,
    /** Likewise, and jobs may have only those of their user. */
    ENFORCED
  }

  /** Nothing becomes of workload keys. */
  public AccountingEnforcement(boolean associations, boolean limits, boolean qos, boolean safe) {
    this(associations, limits, qos, safe, null);
  }

  /** Nothing binds. */
  public static final AccountingEnforcement NONE =
      new AccountingEnforcement(false, false, false, false);

  /** What the words mean where workload keys are not tracked. */
  public static AccountingEnforcement of(String text) {
    return of(text, false);
  }

  /**
   * What the words of the configuration mean; each includes those before it.
   *
   * @param tracked whether workload keys are, if they do not say so
   */
  public static AccountingEnforcement of(String text, boolean tracked) {
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
    boolean keys = all || set.contains("wckeys");
    boolean associations = one || limits || qos || keys || set.contains("associations");
    return new AccountingEnforcement(
        associations, limits, qos, safe, keys ? Wckeys.ENFORCED : tracked ? Wckeys.TRACKED : null);
  }
}

package io.dure.model.accounting;

import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Federations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How names and texts of accounts, users and QOS may be written that somebody gives them now. What
 * is stored already stays as it is: an older release may have taken it, and its journal has to be
 * read.
 */
public final class AccountingNames {
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST_TEXT = 64 * 1024;
  private static final int SHOWN = 40;

  /** Of a cluster; each time that one changes, all clusters hear of all. */
  private static final int MOST_FEATURES = 256;

  /** A dump file puts names between quotes, and lists put them between commas and bars. */
  private static final String NOT_IN_NAMES = "\"'`,|";

  private AccountingNames() {}

  /**
   * Checks what the changes would bring into a tree.
   *
   * @param tree before the changes
   * @throws InvalidAccountingException if a new name is none, or a text cannot be shown on a line
   */
  public static void check(AccountingTree tree, List<AccountingChange> changes)
      throws InvalidAccountingException {
    for (AccountingChange change : changes) {
      switch (change) {
        case AccountingChange.AccountSet(Account next) -> check(tree.account(next.name()), next);
        case AccountingChange.UserSet(AccountUser next) -> {
          AccountUser known = tree.user(next.name());
          if (known == null) {
            name("user", next.name());
          }
          for (Wckey key : next.wckeys()) {
            if (known == null || known.wckey(key.name()) == null) {
              name("wckey", key.name());
            }
          }
        }
        case AccountingChange.AssociationSet(Association next) ->
            check(next.id() < 0 ? null : tree.associations().get(next.id()), next);
        case AccountingChange.QosSet(Qos next) -> check(tree.qos(next.name()), next);
        case AccountingChange.ResourceSet(ServerResource next) -> {
          if (tree.resource(next.place()) == null) {
            name("resource", next.name());
            name("server", next.server());
          }
          text("description", null, next.description());
          text("server type", null, next.serverType());
        }
        case AccountingChange.FederationsSet(Federations next) -> check(tree.federations(), next);
        case AccountingChange.ResourceRemoved _,
            AccountingChange.AccountRemoved _,
            AccountingChange.UserRemoved _,
            AccountingChange.AssociationRemoved _,
            AccountingChange.QosRemoved _,
            AccountingChange.UsageCleared _,
            AccountingChange.QosUsageCleared _ -> {}
      }
    }
  }

  /**
   * Checks the name of a workload key.
   *
   * @throws InvalidAccountingException if it is none
   */
  public static void wckey(String name) throws InvalidAccountingException {
    name("wckey", name);
  }

  private static void check(@Nullable Account before, Account next)
      throws InvalidAccountingException {
    if (before == null) {
      name("account", next.name());
    }
    text("description", before == null ? null : before.description(), next.description());
    text("organization", before == null ? null : before.organization(), next.organization());
  }

  private static void check(@Nullable Association before, Association next)
      throws InvalidAccountingException {
    if (before == null && next.partition() != null) {
      name("partition", next.partition());
    }
    text("comment", before == null ? null : before.comment(), next.comment());
    resources(next.limits());
  }

  private static void check(@Nullable Qos before, Qos next) throws InvalidAccountingException {
    if (before == null) {
      name("QOS", next.name());
    }
    text("description", before == null ? null : before.description(), next.description());
    resources(next.limits());
  }

  private static void check(Federations before, Federations next)
      throws InvalidAccountingException {
    for (String one : next.names()) {
      if (!before.names().contains(one)) {
        name("federation", one);
      }
    }
    for (FederatedCluster one : next.changedSince(before)) {
      FederatedCluster known = before.cluster(one.name());
      if (known.equals(FederatedCluster.plain(one.name()))) {
        name("cluster", one.name());
      }
      for (String feature : one.features()) {
        if (!known.features().contains(feature)) {
          name("feature", feature);
        }
      }
      if (one.features().size() > Math.max(MOST_FEATURES, known.features().size())) {
        throw new InvalidAccountingException(
            "cluster "
                + shown(one.name())
                + " would have "
                + one.features().size()
                + " features, and "
                + MOST_FEATURES
                + " are the most");
      }
    }
  }

  private static void resources(AccountingLimits limits) throws InvalidAccountingException {
    for (AccountingLimits.Bound bound : limits.bounds()) {
      if (bound.most() < 0) {
        throw new InvalidAccountingException(bound.limit().word() + " is not negative");
      }
    }
  }

  private static void name(String what, String name) throws InvalidAccountingException {
    if (name.isEmpty() || !name.codePoints().allMatch(AccountingNames::isOfName)) {
      throw new InvalidAccountingException(
          "not a name for "
              + what
              + ": '"
              + shown(name)
              + "'; a name has no blanks, quotes, commas,"
              + " bars and control characters");
    }
    if (name.length() > LONGEST_NAME) {
      throw new InvalidAccountingException(
          "not a name for "
              + what
              + ": '"
              + shown(name)
              + "' has "
              + name.length()
              + " characters, and "
              + LONGEST_NAME
              + " are the most");
    }
  }

  private static void text(String what, @Nullable String before, @Nullable String next)
      throws InvalidAccountingException {
    if (next == null || next.equals(before)) {
      return;
    }
    if (!next.codePoints().allMatch(AccountingNames::isPrintable)) {
      throw new InvalidAccountingException(
          "a " + what + " is one line without control characters: '" + shown(next) + "'");
    }
    if (next.length() > LONGEST_TEXT) {
      throw new InvalidAccountingException(
          "a " + what + " has at most " + LONGEST_TEXT + " characters, not " + next.length());
    }
  }

  private static boolean isOfName(int c) {
    return isPrintable(c)
        && !Character.isSpaceChar(c)
        && !Character.isWhitespace(c)
        && NOT_IN_NAMES.indexOf(c) < 0;
  }

  /** Neither a control character, nor one that ends a line, turns it round or cannot be seen. */
  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static String shown(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().limit(SHOWN).forEach(c -> out.appendCodePoint(isPrintable(c) ? c : '?'));
    return text.codePoints().count() > SHOWN ? out + "..." : out.toString();
  }
}

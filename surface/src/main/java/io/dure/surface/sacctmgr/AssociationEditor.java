package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.sacctmgr.keyword.LimitKeyword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Applies settings to an association. */
final class AssociationEditor {
  private static final long PARENT = Integer.MAX_VALUE;
  private static final String BAD_DEFAULT = "You gave a bad default qos '";

  private final AccountingTree tree;
  private final List<String> problems;
  private final List<SacctmgrSetting> limits = new ArrayList<>();
  private final List<SacctmgrSetting> qos = new ArrayList<>();
  private final Map<String, String> lines = new TreeMap<>();
  private @Nullable SacctmgrSetting shares;
  private @Nullable SacctmgrSetting priority;
  private @Nullable SacctmgrSetting defaultQos;
  private @Nullable SacctmgrSetting parent;
  private @Nullable SacctmgrSetting comment;
  private boolean handsDown;

  /**
   * An edit without settings.
   *
   * @param problems takes up what is wrong with values
   */
  AssociationEditor(AccountingTree tree, List<String> problems) {
    this.tree = tree;
    this.problems = problems;
  }

  /** Takes a setting in; false if it is none of associations, or its value is wrong. */
  boolean take(SacctmgrSetting setting) {
    if (setting.is(1, "Fairshare", "Shares")) {
      return takeShares(setting);
    }
    if (setting.is(3, "Priority")) {
      priority = setting;
      lines.put("Priority", setting.value());
      return number("Priority", setting.value());
    }
    if (setting.is(3, "Comment")) {
      comment = setting;
      lines.put("Comment", setting.value());
      return true;
    }
    if (setting.is(8, "DefaultQOS") || setting.is(3, "DefQOS")) {
      defaultQos = setting;
      return isDefaultQos(setting);
    }
    if (setting.is(1, "QosLevel", "QOS")) {
      qos.add(setting);
      lines.put("QOS", String.join(",", setting.names().stream().sorted().toList()));
      return isQos(setting);
    }
    LimitKeyword word = LimitKeyword.find(setting.key(), false);
    if (word == null) {
      return false;
    }
    AccountingLimits alone = word.set(AccountingLimits.NONE, setting.value(), problems);
    if (alone == null) {
      return false;
    }
    limits.add(setting);
    handsDown |= !word.limit().isGroup();
    lines.put(shown(word.limit()), value(alone, word.limit(), setting));
    return true;
  }

  private static String shown(LimitKind limit) {
    return switch (limit) {
      case MAX_WALL -> "MaxWall";
      case MAX_TRES_PER_JOB -> "MaxTRES";
      case MAX_TRES_MINS_PER_JOB -> "MaxTRESMins";
      default -> limit.word();
    };
  }

  private static String value(AccountingLimits alone, LimitKind limit, SacctmgrSetting setting) {
    String text = AmountFormat.text(alone, limit);
    return text.isEmpty() ? setting.value().equals("-1") ? "NONE" : setting.value() : text;
  }

  /** Takes in that accounts stand below another. */
  void below(SacctmgrSetting account) {
    parent = account;
    lines.put("Parent", account.value());
  }

  private boolean takeShares(SacctmgrSetting setting) {
    shares = setting;
    String value = setting.value();
    boolean asParent = value.equalsIgnoreCase("parent");
    if (asParent) {
      lines.put("Fairshare", "parent");
      return true;
    }
    if (value.startsWith("-") && number("FairShare", value.substring(1))) {
      // Slurm reads a negative share as none given.
      lines.put("Fairshare", "NONE");
      return true;
    }
    lines.put("Fairshare", value);
    return number("FairShare", value);
  }

  private boolean number(String name, String value) {
    if (AmountFormat.count(value) == null) {
      problems.add("Invalid value for " + name + " (" + value + ")");
      return false;
    }
    return true;
  }

  private boolean isDefaultQos(SacctmgrSetting setting) {
    List<String> names = setting.names();
    boolean known =
        names.size() == 1 && (names.getFirst().equals("-1") || tree.qos(names.getFirst()) != null);
    if (!known) {
      problems.add(BAD_DEFAULT + setting.value() + "'.  Use 'list qos' to get complete list.");
    }
    return known;
  }

  /** Slurm says so of a default QOS, and nothing else. */
  static boolean isSaidAlone(List<String> problems) {
    return problems.stream().anyMatch(problem -> problem.startsWith(BAD_DEFAULT));
  }

  private boolean isQos(SacctmgrSetting setting) {
    if (setting.names().isEmpty() && !setting.value().isEmpty()) {
      problems.add("You gave me an empty qos list");
      return false;
    }
    for (String name : setting.names()) {
      if (tree.qos(name) == null) {
        problems.add(badQos(tree, name));
        return false;
      }
    }
    return true;
  }

  static String badQos(AccountingTree tree, String name) {
    List<String> valid = tree.qosByNumber().stream().map(q -> q.name()).toList();
    return "You gave a bad qos '" + name + "'. Valid QOS's are " + String.join(",", valid);
  }

  boolean isEmpty() {
    return lines.isEmpty() && defaultQos == null;
  }

  /** Whether those below look different as well. */
  boolean reachesUsers() {
    return !qos.isEmpty() || defaultQos != null || handsDown;
  }

  /** The account that accounts are put below, null for none. */
  @Nullable String parent() {
    return parent == null ? null : parent.value().toLowerCase(Locale.ROOT);
  }

  /** The settings, one to a line. */
  String settings() {
    StringBuilder out = new StringBuilder();
    lines.forEach((name, value) -> line(out, name, value));
    if (defaultQos != null) {
      line(out, "DefQOS", defaultQos.value());
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append("  ").append(padded(name, 13)).append(" = ").append(value).append('\n');
  }

  static String padded(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }

  /** The association as the settings make it. */
  Association of(Association before) {
    Association next = before;
    if (shares != null) {
      next = next.withShares(shares(shares.value()));
    }
    if (priority != null) {
      AmountFormat.Bound bound = AmountFormat.count(priority.value());
      next = next.withPriority(bound == null ? null : bound.bound());
    }
    if (defaultQos != null) {
      String name = defaultQos.names().getFirst();
      next = next.withDefaultQos(name.equals("-1") ? null : name);
    }
    if (comment != null) {
      next = next.withComment(comment.value().isEmpty() ? null : comment.value());
    }
    if (parent() != null && before.user() == null) {
      next = next.withParent(parent());
    }
    for (SacctmgrSetting setting : qos) {
      next = next.withQos(setting.change().of(inherited(next), setting.names()));
    }
    for (SacctmgrSetting setting : limits) {
      LimitKeyword word = LimitKeyword.find(setting.key(), false);
      AccountingLimits set =
          word == null ? null : word.set(next.limits(), setting.value(), problems);
      next = set == null ? next : next.withLimits(set);
    }
    return next;
  }

  private static @Nullable Long shares(String text) {
    if (text.equalsIgnoreCase("parent")) {
      return null;
    }
    AmountFormat.Bound bound = text.startsWith("-") ? null : AmountFormat.count(text);
    long number = bound == null || bound.bound() == null ? 1 : bound.bound();
    return number >= PARENT ? null : Long.valueOf(number);
  }

  private List<String> inherited(Association association) {
    return association.qos().isEmpty() ? tree.effective(association).qos() : association.qos();
  }
}

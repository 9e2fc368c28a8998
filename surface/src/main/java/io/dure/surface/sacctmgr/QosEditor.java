package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.sacctmgr.column.QosFields;
import io.dure.surface.sacctmgr.keyword.LimitKeyword;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Applies settings to a QOS. */
final class QosEditor {
  private static final List<String> MODES =
      List.of("off", "cancel", "requeue", "suspend", "gang", "within", "cluster");

  private final AccountingTree tree;
  private final List<String> problems;
  private final List<String> refusals;
  private final List<SacctmgrSetting> settings = new ArrayList<>();
  private final Map<String, String> lines = new TreeMap<>();
  private @Nullable String description;

  /**
   * An edit without settings.
   *
   * @param problems takes up what is wrong with values, said with the program's name
   * @param refusals takes up what is said alone
   */
  QosEditor(AccountingTree tree, List<String> problems, List<String> refusals) {
    this.tree = tree;
    this.problems = problems;
    this.refusals = refusals;
  }

  /** Takes a setting in; false if it is none of QOS, or its value is wrong. */
  boolean take(SacctmgrSetting setting) {
    Qos tried = of(Qos.plain(0, "tried", ""), setting);
    if (tried == null) {
      return false;
    }
    settings.add(setting);
    if (setting.is(3, "Description")) {
      description = setting.value().toLowerCase(Locale.ROOT);
    } else {
      lines.put(name(setting), shown(setting, tried));
    }
    return true;
  }

  private static String name(SacctmgrSetting setting) {
    LimitKeyword word = LimitKeyword.find(setting.key(), true);
    for (String name :
        List.of("Flags", "GraceTime", "PreemptMode", "Priority", "UsageFactor", "LimitFactor")) {
      if (setting.is(3, name) && !(name.equals("PreemptMode") && setting.key().equals("preempt"))) {
        return name;
      }
    }
    return setting.is(7, "Preempt")
        ? "Preempt"
        : word == null
            ? setting.key()
            : word.limit() == LimitKind.MAX_WALL ? "MaxWall" : word.limit().word();
  }

  private static String shown(SacctmgrSetting setting, Qos tried) {
    LimitKeyword word = LimitKeyword.find(setting.key(), true);
    return switch (name(setting)) {
      case "Flags" -> QosFields.flags(tried);
      case "GraceTime" -> Long.toString(tried.graceTime().toSeconds());
      case "PreemptMode" -> setting.value().toUpperCase(Locale.ROOT);
      case "UsageFactor" -> String.format(Locale.ROOT, "%.4f", tried.usageFactor());
      default -> word == null ? setting.value() : AmountFormat.text(tried.limits(), word.limit());
    };
  }

  boolean isEmpty() {
    return settings.isEmpty();
  }

  /** The description that is given, null for none. */
  @Nullable String description() {
    return description;
  }

  /** The settings but the description, one to a line. */
  String settings() {
    StringBuilder out = new StringBuilder();
    lines.forEach((name, value) ->
        out.append("  ")
            .append(AssociationEditor.padded(name, 24))
            .append(" = ")
            .append(value)
            .append('\n'));
    return out.toString();
  }

  /** The QOS as the settings make it. */
  Qos of(Qos before) {
    Qos next = before;
    for (SacctmgrSetting setting : settings) {
      Qos set = of(next, setting);
      next = set == null ? next : set;
    }
    return next;
  }

  /** The QOS with one setting, null if that is none or its value is wrong. */
  private @Nullable Qos of(Qos qos, SacctmgrSetting setting) {
    String value = setting.value();
    if (setting.is(1, "Flags")) {
      return flags(qos, setting);
    }
    if (setting.is(3, "Description")) {
      return qos.withDescription(value.toLowerCase(Locale.ROOT));
    }
    if (setting.is(3, "Priority")) {
      AmountFormat.Bound bound = count("Priority", value);
      return bound == null ? null : qos.withPriority(bound.bound() == null ? 0 : bound.bound());
    }
    if (setting.is(3, "GraceTime")) {
      Duration time = grace(value);
      return time == null ? null : qos.withGraceTime(time);
    }
    if (setting.is(8, "PreemptExemptTime")) {
      Duration time = value.equals("-1") ? null : TimeLimitParser.parseDuration(value);
      return time == null && !value.equals("-1") ? null : qos.withExemptTime(time);
    }
    if (setting.is(8, "PreemptMode")) {
      return mode(qos, setting);
    }
    if (setting.is(3, "Preempt")) {
      return preempt(qos, setting);
    }
    if (setting.is(6, "UsageFactor") || setting.is(6, "UsageThreshold", "LimitFactor")) {
      return factor(qos, setting);
    }
    LimitKeyword word = LimitKeyword.find(oldName(setting.key()), true);
    AccountingLimits limits = word == null ? null : word.set(qos.limits(), value, problems);
    return limits == null ? null : qos.withLimits(limits);
  }

  /** In QOS, limits of jobs are each user's. */
  private static String oldName(String key) {
    return switch (key) {
      case "maxjobs" -> "maxjobspu";
      case "maxsubmitjobs", "maxsubmit" -> "maxsubmitjobspu";
      default -> key;
    };
  }

  private AmountFormat.@Nullable Bound count(String name, String value) {
    AmountFormat.Bound bound = AmountFormat.count(value);
    if (bound == null) {
      problems.add("Invalid value for " + name + " (" + value + ")");
    }
    return bound;
  }

  private static @Nullable Duration grace(String value) {
    if (value.equals("-1")) {
      return Duration.ZERO;
    }
    AmountFormat.Bound seconds = AmountFormat.count(value);
    if (seconds != null && seconds.bound() != null) {
      return Duration.ofSeconds(Math.min(seconds.bound(), Integer.MAX_VALUE));
    }
    return TimeLimitParser.parseDuration(value);
  }

  private @Nullable Qos mode(Qos qos, SacctmgrSetting setting) {
    for (String name : setting.names()) {
      if (!MODES.contains(name)) {
        refusals.add(" Bad Preempt Mode given: " + setting.word());
        return null;
      }
    }
    String mode = String.join(",", setting.names());
    return qos.withPreemptMode(mode.isEmpty() || mode.equals("cluster") ? null : mode);
  }

  private @Nullable Qos preempt(Qos qos, SacctmgrSetting setting) {
    for (String name : setting.names()) {
      if (tree.qos(name) == null) {
        problems.add(AssociationEditor.badQos(tree, name));
        return null;
      }
    }
    return qos.withPreempt(setting.change().of(qos.preempt(), setting.names()));
  }

  private @Nullable Qos flags(Qos qos, SacctmgrSetting setting) {
    if (setting.value().equals("-1")) {
      return qos.withFlags(List.of());
    }
    List<QosFlag> named = new ArrayList<>();
    for (String name : setting.names()) {
      QosFlag flag = QosFlag.of(name);
      if (flag == null) {
        refusals.add(unknownFlag(name));
        return null;
      }
      named.add(flag);
    }
    return qos.withFlags(setting.change().of(qos.flags(), named));
  }

  private static String unknownFlag(String name) {
    List<String> valid = new ArrayList<>();
    for (QosFlag flag : QosFlag.values()) {
      valid.add(flag.word());
    }
    return " Unknown QOS flag used in:\n  '"
        + name
        + "'\n Valid QOS flags are\n  '"
        + String.join(",", valid)
        + "'";
  }

  private @Nullable Qos factor(Qos qos, SacctmgrSetting setting) {
    String value = setting.value();
    Double number = value.equals("-1") ? null : decimal(value);
    if (number == null && !value.equals("-1")) {
      problems.add("Invalid value for " + setting.key() + " (" + value + ")");
      return null;
    }
    if (setting.is(6, "UsageFactor")) {
      return qos.withUsageFactor(number == null ? 1.0 : number);
    }
    return setting.is(6, "UsageThreshold")
        ? qos.withUsageThreshold(number)
        : qos.withLimitFactor(number);
  }

  private static @Nullable Double decimal(String text) {
    return text.matches("[0-9]{1,15}([.][0-9]{1,15})?") ? Double.valueOf(text) : null;
  }
}

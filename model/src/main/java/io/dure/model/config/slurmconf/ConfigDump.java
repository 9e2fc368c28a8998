package io.dure.model.config.slurmconf;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.SettingDefinition.Shown;
import io.dure.model.config.slurmconf.ValueSyntax.Amount;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code scontrol show config} prints, in Slurm's order and form. */
public final class ConfigDump {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private final ClusterConfig config;
  private final RuntimeFacts facts;

  /**
   * What only the running controller knows.
   *
   * @param now when the configuration is shown
   * @param bootTime when the controller started
   * @param zone in which both are printed
   * @param nextJobId the id of the next job
   * @param version the version as Slurm's clients read it, such as {@code 26.05.3}
   * @param slurmUserId the uid behind {@code SlurmUser}
   * @param slurmdUserId the uid behind {@code SlurmdUser}
   */
  public record RuntimeFacts(
      Instant now,
      Instant bootTime,
      ZoneId zone,
      long nextJobId,
      String version,
      long slurmUserId,
      long slurmdUserId) {}

  private ConfigDump(ClusterConfig config, RuntimeFacts facts) {
    this.config = config;
    this.facts = facts;
  }

  /** The lines, without the state of the controllers that a command adds below. */
  public static List<String> lines(ClusterConfig config, RuntimeFacts facts) {
    return new ConfigDump(config, facts).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Configuration data as of " + time(facts.now()));
    for (SettingDefinition setting : SettingTable.all(Section.CLUSTER)) {
      if (isShown(setting)) {
        add(lines, setting);
      }
    }
    return lines;
  }

  private boolean isShown(SettingDefinition setting) {
    return switch (setting.name()) {
      case "DefMemPerNode" -> !isSet("DefMemPerCPU") && !isSet("DefMemPerGPU");
      case "MaxMemPerNode" -> !isSet("MaxMemPerCPU");
      default ->
          setting.shown() == Shown.ALWAYS
              || (setting.shown() == Shown.WHEN_SET && isSet(setting.name()));
    };
  }

  private boolean isSet(String name) {
    return config.values().containsKey(name);
  }

  private void add(List<String> lines, SettingDefinition setting) {
    switch (setting.name()) {
      case "SlurmctldHost" -> addHosts(lines);
      case "Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld" -> {
        List<String> paths = List.of(raw(setting).split(SectionValues.SEPARATOR));
        for (int i = 0; i < paths.size(); i++) {
          lines.add(line(setting.name() + "[" + i + "]", paths.get(i)));
        }
      }
      default -> lines.add(line(setting.name(), value(setting)));
    }
  }

  private void addHosts(List<String> lines) {
    List<ClusterSettings.Host> hosts = config.settings().controller().hosts();
    for (int i = 0; i < hosts.size(); i++) {
      ClusterSettings.Host host = hosts.get(i);
      boolean plain = host.address().equals(host.name());
      String text = plain ? host.name() : host.name() + "(" + host.address() + ")";
      lines.add(line("SlurmctldHost[" + i + "]", text));
    }
  }

  private static String line(String name, String value) {
    String padded = name.length() >= 23 ? name : name + " ".repeat(23 - name.length());
    return padded + " = " + value;
  }

  private String raw(SettingDefinition setting) {
    return config.values().getOrDefault(setting.name(), "");
  }

  private String value(SettingDefinition setting) {
    return switch (setting.name()) {
      case "BOOT_TIME" -> time(facts.bootTime());
      case "HASH_VAL" -> "Match";
      case "NEXT_JOB_ID" -> Long.toString(facts.nextJobId());
      case "SLURM_CONF" -> config.path();
      case "SLURM_VERSION" -> facts.version();
      case "SlurmUser" -> user(raw(setting), facts.slurmUserId());
      case "SlurmdUser" -> user(raw(setting), facts.slurmdUserId());
      case "ClusterName" -> config.settings().controller().clusterName();
      case "EnforcePartLimits" -> config.settings().jobs().enforcePartLimits().name();
      case "PriorityFlags" -> raw(setting);
      case "JobDefaults" -> {
        String text = config.settings().resources().gpuDefaults().text();
        yield text.isEmpty() ? "(null)" : text;
      }
      case "MaxDBDMsgs" -> isSet("MaxDBDMsgs") ? raw(setting) : Long.toString(messagesKept());
      case "MaxNodeCount" ->
          isSet("MaxNodeCount") ? raw(setting) : Integer.toString(config.nodes().size());
      case "UnkillableStepTimeout" ->
          config.settings().daemon().unkillableStepTimeout().toSeconds() + " sec";
      case "AccountingStorageTRES" -> tres(setting);
      default -> byKind(setting, raw(setting));
    };
  }

  private long messagesKept() {
    long jobs = config.settings().jobs().maxJobCount();
    return Math.max(10_000, jobs * 2 + config.nodes().size() * 4L);
  }

  /** The kinds that are always counted, and those the file adds. */
  private String tres(SettingDefinition setting) {
    List<String> all = new ArrayList<>(ValueSyntax.list(setting.defaultText()));
    for (String name : ValueSyntax.list(raw(setting).toLowerCase(Locale.ROOT))) {
      if (!all.contains(name)) {
        all.add(name);
      }
    }
    return String.join(",", all);
  }

  private static String user(String user, long id) {
    return user + "(" + id + ")";
  }

  private String time(Instant instant) {
    return TIME.format(instant.atZone(facts.zone()));
  }

  private static String byKind(SettingDefinition setting, String text) {
    return switch (setting.kind()) {
      case MEMORY -> memory(text);
      case TEXT, USER, PROGRAM, RUNTIME -> text.isEmpty() ? "(null)" : text;
      case REPEATED, PROGRAMS ->
          text.isEmpty() ? "(null)" : text.replace(SectionValues.SEPARATOR, ",");
      case UPPER -> text.isEmpty() ? "(null)" : text.toUpperCase(Locale.ROOT);
      case FLAG -> Boolean.TRUE.equals(ValueSyntax.flag(text)) ? "yes" : "no";
      case BIT -> Boolean.TRUE.equals(ValueSyntax.flag(text)) ? "1" : "0";
      case NUMBER, PLAIN_SECONDS -> number(text, "");
      case SECONDS -> number(text, " sec");
      case MICROSECONDS -> number(text, " usec");
      case MINUTES -> number(text, " min");
      case PERCENT -> number(text, " percent");
      case RATE -> number(text, " nodes/min");
      case TIME -> clock(text);
      case PORT -> text;
      case LEVEL -> level(text);
    };
  }

  private static String level(String text) {
    String level = ValueSyntax.level(text);
    return level == null ? "(null)" : level;
  }

  private static String number(String text, String unit) {
    Amount amount = ValueSyntax.number(text);
    if (amount == null) {
      return "(null)";
    }
    if (amount.unlimited()) {
      return unit.equals(" sec") ? "INFINITE" : "UNLIMITED";
    }
    return amount.value() + unit;
  }

  private static String memory(String text) {
    Amount amount = ValueSyntax.memoryMib(text);
    return amount == null || amount.unlimited() || amount.value() == 0
        ? "UNLIMITED"
        : Long.toString(amount.value());
  }

  private static String clock(String text) {
    Amount amount = ValueSyntax.minutes(text);
    if (amount == null || amount.unlimited()) {
      return "UNLIMITED";
    }
    long minutes = amount.value();
    String days = minutes >= 1440 ? minutes / 1440 + "-" : "";
    return days + two(minutes / 60 % 24) + ":" + two(minutes % 60) + ":00";
  }

  private static String two(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }
}

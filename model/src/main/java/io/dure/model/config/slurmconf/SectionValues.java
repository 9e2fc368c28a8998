package io.dure.model.config.slurmconf;

import io.dure.model.config.MemoryLimit;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.config.preempt.PreemptSettingsReader;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.config.slurmconf.SettingDefinition.Kind;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.StatementReader.Assignment;
import io.dure.model.config.slurmconf.ValueSyntax.Amount;
import io.dure.model.config.step.SrunDefaults;
import io.dure.model.config.step.StepFiles;
import io.dure.model.config.step.StepSettings;
import io.dure.model.config.step.StepSettingsReader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The values of one section or one line, checked as they come in and typed as they go out. */
final class SectionValues {
  static final String SEPARATOR = "\n";

  /** Is kept in no state and shown to no client; it is read again where it is needed. */
  private static final String PASSWORD = "AccountingStoragePass";

  private static final int LONGEST_SLICE = 65_533;

  private final Section section;
  private final DiagnosticCollector diagnostics;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private record Entry(String text, SourceLocation place) {}

  SectionValues(Section section, DiagnosticCollector diagnostics) {
    this.section = section;
    this.diagnostics = diagnostics;
  }

  /** The same values, to which others may be added. */
  SectionValues copy() {
    SectionValues copy = new SectionValues(section, diagnostics);
    copy.entries.putAll(entries);
    return copy;
  }

  /** Takes a value in, or says why not. */
  void put(SourceLocation place, Assignment assignment) {
    String key = assignment.key();
    SettingDefinition setting = SettingTable.find(section, key);
    if (setting == null) {
      refuse(place, key);
      return;
    }
    String remedy = SettingTable.remedyForObsolete(section, key);
    if (remedy != null) {
      diagnostics.warning(place, key, "obsolete", remedy);
    }
    String value = assignment.value();
    if (!value.isEmpty() && !ValueSyntax.accepts(setting.kind(), value)) {
      refuse(place, setting, value);
      return;
    }
    if (setting.kind() == Kind.MEMORY && ValueSyntax.hasUnit(value)) {
      String text = "value (" + value + ") has a unit; Slurm itself reads megabytes only";
      diagnostics.warning(place, setting.name(), text, "Write the number of megabytes");
    }
    String rule = AccessRules.unenforced(section, setting.name(), value);
    if (rule != null) {
      diagnostics.error(place, setting.name(), rule, AccessRules.REMEDY);
    } else if (!setting.honoured() && !isUsual(setting, value)) {
      diagnostics.noEffect(place, setting.name(), "read, and not acted on");
    }
    store(place, setting, value);
  }

  private static boolean isUsual(SettingDefinition setting, String value) {
    boolean off = setting.kind() == Kind.FLAG && Boolean.FALSE.equals(ValueSyntax.flag(value));
    String plugin = value.substring(value.lastIndexOf('/') + 1);
    boolean nothing = setting.defaultText().isEmpty() && plugin.equalsIgnoreCase("none");
    return nothing
        || value.equalsIgnoreCase(setting.defaultText())
        || off && !Boolean.TRUE.equals(ValueSyntax.flag(setting.defaultText()));
  }

  private void store(SourceLocation place, SettingDefinition setting, String value) {
    Entry before = entries.get(setting.name());
    String text = value;
    if (before != null && setting.repeats()) {
      text = before.text() + SEPARATOR + value;
    } else if (before != null && section == Section.CLUSTER) {
      String remedy = "Remove line " + before.place().line();
      String message = "specified more than once, latest value used";
      diagnostics.warning(place, setting.name(), message, remedy);
    }
    entries.put(setting.name(), new Entry(text, place));
  }

  private void refuse(SourceLocation place, String key) {
    if (SettingTable.isRemoved(section, key)) {
      diagnostics.warning(place, key, "Slurm has this key no more", "Remove it");
      return;
    }
    String nearest = diagnostics.mayPropose() ? SettingTable.nearest(section, key) : null;
    String remedy = nearest == null ? "Remove it" : "Did you mean " + nearest + "?";
    String message = "Parsing error at unrecognized key: " + key;
    diagnostics.error(place, key, message, nearest == null ? elsewhere(key) : remedy);
  }

  /** A key that is right on another kind of line is worth saying. */
  private String elsewhere(String key) {
    for (Section other : Section.values()) {
      if (other != section && SettingTable.find(other, key) != null) {
        return other == Section.CLUSTER
            ? "It belongs on a line of its own"
            : "It belongs on a " + other.opener() + " line";
      }
    }
    return "Remove it";
  }

  private void refuse(SourceLocation place, SettingDefinition setting, String value) {
    String expected = ValueSyntax.expected(setting.kind());
    String message = "value (" + value + ") is not " + expected;
    if (setting.honoured()) {
      diagnostics.error(place, setting.name(), message, "Write " + expected);
    } else {
      diagnostics.warning(place, setting.name(), message, "Write " + expected);
    }
  }

  boolean isSet(String name) {
    return entries.containsKey(name);
  }

  /** The place of a value, or of the line where it is not set. */
  SourceLocation place(String name, SourceLocation otherwise) {
    Entry entry = entries.get(name);
    return entry == null ? otherwise : entry.place();
  }

  /** The text given, or the default, or "". */
  String text(String name) {
    Entry entry = entries.get(name);
    return entry == null || entry.text().isEmpty() ? defaultText(name) : entry.text();
  }

  private String defaultText(String name) {
    return Objects.requireNonNull(SettingTable.find(section, name), name).defaultText();
  }

  String lower(String name) {
    return text(name).toLowerCase(Locale.ROOT);
  }

  List<String> list(String name) {
    return ValueSyntax.list(text(name));
  }

  /** The values of a key that may be given several times. */
  List<String> repeated(String name) {
    String text = text(name);
    return text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR));
  }

  boolean flag(String name) {
    return Objects.requireNonNullElse(ValueSyntax.flag(text(name)), false);
  }

  String level(String name) {
    return Objects.requireNonNullElse(ValueSyntax.level(text(name)), "info");
  }

  /** A whole number; without bound is {@code highest}, out of bounds is an error. */
  long number(String name, long lowest, long highest) {
    Amount amount = ValueSyntax.number(text(name));
    if (amount != null && amount.unlimited()) {
      return highest;
    }
    if (amount != null && amount.value() >= lowest && amount.value() <= highest) {
      return amount.value();
    }
    Entry entry = entries.get(name);
    if (amount != null && entry != null) {
      String message = "value (" + entry.text() + ") is not from " + lowest + " to " + highest;
      diagnostics.error(entry.place(), name, message, "Write a number within these bounds");
    }
    Amount fallback = ValueSyntax.number(defaultText(name));
    return fallback == null ? lowest : fallback.unlimited() ? highest : fallback.value();
  }

  int integer(String name, int lowest, int highest) {
    return (int) number(name, lowest, highest);
  }

  /** {@code NAME=NUMBER,...}; what is none is an error. */
  Map<String, Double> weights(String name) {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String part : list(name)) {
      int equals = part.indexOf('=');
      Double weight = equals < 1 ? null : ValueSyntax.weight(part.substring(equals + 1));
      Entry entry = entries.get(name);
      if (weight != null) {
        weights.put(part.substring(0, equals).toLowerCase(Locale.ROOT), weight);
      } else if (entry != null) {
        String message = "value (" + part + ") is no resource with its weight";
        diagnostics.error(entry.place(), name, message, "Write such as CPU=1000,Mem=2000");
      }
    }
    return weights;
  }

  /** Seconds; null for ever, or where nothing is set and there is no default. */
  @Nullable Duration seconds(String name) {
    return duration(ValueSyntax.number(text(name)), Duration::ofSeconds);
  }

  /** Seconds where for ever makes no sense: it becomes 100 years. */
  Duration finiteSeconds(String name) {
    return Objects.requireNonNullElse(seconds(name), Duration.ofDays(36_500));
  }

  /** A number of minutes; null for ever. */
  @Nullable Duration minutes(String name) {
    return duration(ValueSyntax.number(text(name)), Duration::ofMinutes);
  }

  /** One of Slurm's forms of time; null for ever, or where nothing is set. */
  @Nullable Duration time(String name) {
    return duration(ValueSyntax.minutes(text(name)), Duration::ofMinutes);
  }

  /** One of Slurm's forms of time; null for zero too. */
  @Nullable Duration positiveTime(String name) {
    Duration time = time(name);
    return time == null || time.isZero() ? null : time;
  }

  private static @Nullable Duration duration(@Nullable Amount amount, LongFunction<Duration> unit) {
    return amount == null || amount.unlimited()
        ? null
        : unit.apply(Math.min(amount.value(), 1L << 40));
  }

  /** MiB; null where nothing is set, and for 0 and UNLIMITED. */
  private @Nullable Long memory(String name) {
    Amount amount = ValueSyntax.memoryMib(text(name));
    return amount == null || amount.unlimited() || amount.value() == 0 ? null : amount.value();
  }

  long memoryMib(String name, long otherwise) {
    return Objects.requireNonNullElse(memory(name), otherwise);
  }

  /** The per-CPU amount if it is set, else the per-node amount, else null. */
  @Nullable MemoryLimit memoryLimit(String perCpu, String perNode) {
    Long cpu = memory(perCpu);
    if (cpu != null) {
      return new MemoryLimit(MemoryLimit.Scope.CPU, cpu);
    }
    Long node = memory(perNode);
    return node == null ? null : new MemoryLimit(MemoryLimit.Scope.NODE, node);
  }

  /** What comes with each GPU: {@code JobDefaults}, and before it the settings of their own. */
  GpuDefaults gpuDefaults(SourceLocation place) {
    GpuDefaults listed = GpuDefaults.parse(text("JobDefaults"));
    if (listed == null) {
      String message = "Invalid JobDefaults specification";
      String remedy = "Write DefCpuPerGPU=NUMBER,DefMemPerGPU=MEGABYTES";
      diagnostics.error(place("JobDefaults", place), "JobDefaults", message, remedy);
      listed = GpuDefaults.NONE;
    }
    int cpus = isSet("DefCpuPerGPU") ? integer("DefCpuPerGPU", 0, Integer.MAX_VALUE) : 0;
    return new GpuDefaults(cpus == 0 ? null : cpus, memory("DefMemPerGPU"))
        .or(listed.cpus(), listed.memoryMib());
  }

  /** The text of every key that has one, in the order of the table. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (SettingDefinition setting : SettingTable.all(section)) {
      String text = setting.kind() == Kind.RUNTIME ? "" : text(setting.name());
      if (!text.isEmpty() && !setting.name().equals(PASSWORD)) {
        texts.put(setting.name(), text);
      }
    }
    return texts;
  }

  /** Where findings about these values go. */
  DiagnosticCollector diagnostics() {
    return diagnostics;
  }

  /** Which jobs make room for which. */
  PreemptSettings preemption(SourceLocation start) {
    PreemptSettingsReader reader = new PreemptSettingsReader();
    PreemptSettings settings =
        reader.read(
            text("PreemptType"),
            ValueSyntax.list(text("PreemptMode")),
            list("PreemptParameters"),
            duration(ValueSyntax.seconds(text("PreemptExemptTime")), Duration::ofSeconds),
            Duration.ofSeconds(number("SchedulerTimeSlice", 5, LONGEST_SLICE)));
    tell(reader.problems(), start);
    return settings;
  }

  private void tell(List<PreemptSettingsReader.Problem> problems, SourceLocation start) {
    for (PreemptSettingsReader.Problem one : problems) {
      diagnostics.found(place(one.key(), start), one.key(), one.message(), one.remedy());
    }
  }

  /** How steps run on their nodes. */
  StepSettings steps(SourceLocation start, StepFiles files) {
    StepSettingsReader reader = new StepSettingsReader(this::text);
    StepSettings settings =
        reader.read(
            integer("PropagatePrioProcess", 0, 2),
            number("EpilogMsgTime", 0, Integer.MAX_VALUE),
            integer("TreeWidth", 0, 65_533),
            integer("MaxStepCount", 1, Integer.MAX_VALUE));
    tell(reader.problems(), start);
    StepSettings complete = files.read(settings.withSrun(srun()));
    tell(files.problems(), start);
    return complete;
  }

  private SrunDefaults srun() {
    return new SrunDefaults(
        flag("KillOnBadExit"),
        (int) Math.min(Integer.MAX_VALUE, finiteSeconds("WaitTime").toSeconds()),
        program("SrunProlog"),
        program("SrunEpilog"));
  }

  private String program(String name) {
    String path = text(name);
    return path.startsWith("(null") || path.equalsIgnoreCase("none") ? "" : path;
  }

  /** Exit codes and ranges of them. */
  List<Integer> exitCodes(String name, SourceLocation start) {
    TreeSet<Integer> codes = new TreeSet<>();
    for (String piece : ValueSyntax.list(text(name))) {
      int dash = piece.indexOf('-');
      Amount low = ValueSyntax.number(dash < 0 ? piece : piece.substring(0, dash));
      Amount high = dash < 0 ? low : ValueSyntax.number(piece.substring(dash + 1));
      if (low == null || high == null || low.value() > high.value() || high.value() > 255) {
        String message = "value (" + piece + ") is not an exit code from 0 to 255 or a range";
        diagnostics.error(place(name, start), name, message, "Write exit codes such as 1-3,42");
        continue;
      }
      for (long code = low.value(); code <= high.value(); code++) {
        codes.add((int) code);
      }
    }
    return List.copyOf(codes);
  }
}

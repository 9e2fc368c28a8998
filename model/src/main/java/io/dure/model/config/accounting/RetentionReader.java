package io.dure.model.config.accounting;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads from slurmdbd.conf for how long which records are kept. It says so of an embedded database
 * too.
 *
 * @see <a href="https://slurm.schedmd.com/slurmdbd.conf.html">slurmdbd.conf(5)</a>
 */
public final class RetentionReader {
  private static final String DIRECTORY = "ArchiveDir";
  private static final String SCRIPT = "ArchiveScript";
  private static final String NO_COMMANDS = "DisableArchiveCommands";

  private final GresConfFindings findings;
  private final Map<String, Value> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  private record Value(String text, String file, int line) {}

  /**
   * What the file says.
   *
   * @param diagnostics what is wrong with it
   */
  public record Found(RetentionSettings settings, List<ConfigDiagnostic> diagnostics) {
    public Found {
      diagnostics = List.copyOf(diagnostics);
    }
  }

  private RetentionReader(GresConfFindings findings) {
    this.findings = findings;
  }

  /** Whether a key is read here. */
  static boolean reads(String key) {
    return Stream.concat(
            Stream.of(DIRECTORY, SCRIPT, NO_COMMANDS),
            Stream.of(RecordKind.values())
                .flatMap(kind -> Stream.of(kind.purgeKey(), kind.archiveKey())))
        .anyMatch(key::equalsIgnoreCase);
  }

  /** Reads a slurmdbd.conf; nothing is purged where there is none. */
  public static Found read(String file, ConfigSource source) {
    if (source.read(file) == null) {
      return new Found(RetentionSettings.KEEP_ALL, List.of());
    }
    List<RetentionSettings> settings = new ArrayList<>();
    List<ConfigDiagnostic> wrong =
        SlurmConfParser.findings(
            found -> settings.add(new RetentionReader(found).settings(file, source)));
    return new Found(settings.getFirst(), wrong);
  }

  private RetentionSettings settings(String file, ConfigSource source) {
    // What else is wrong with the file is told where the rest of it is read.
    var _ =
        SlurmConfParser.lines(
            file,
            source,
            (from, line, words) ->
                words.forEach(word -> {
                  if (reads(word.getKey())) {
                    values.put(word.getKey(), new Value(word.getValue(), from, line));
                  }
                }));
    Map<RecordKind, RetentionSettings.Rule> rules = new EnumMap<>(RecordKind.class);
    for (RecordKind kind : RecordKind.values()) {
      RetentionAge age = age(kind.purgeKey());
      boolean archived = yes(kind.archiveKey());
      if (age != null) {
        rules.put(kind, new RetentionSettings.Rule(age, archived));
      }
    }
    String script = text(SCRIPT);
    String directory = text(DIRECTORY);
    absolute(SCRIPT, script);
    absolute(DIRECTORY, directory);
    return new RetentionSettings(
        rules,
        directory == null ? RetentionSettings.DIRECTORY : directory,
        script,
        !yes(NO_COMMANDS));
  }

  private void absolute(String key, @Nullable String path) {
    if (path != null && !path.startsWith("/")) {
      error(key, "Write the whole path, from /");
    }
  }

  private @Nullable String text(String key) {
    Value value = values.get(key);
    return value == null || value.text().isBlank() ? null : value.text().strip();
  }

  private @Nullable RetentionAge age(String key) {
    String text = text(key);
    RetentionAge age = text == null ? null : RetentionAge.of(text);
    if (text != null && age == null) {
      error(key, "Write a number from 1 with hours, days or months, such as 12months");
    }
    return age;
  }

  private boolean yes(String key) {
    String text = text(key);
    if (text == null) {
      return false;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "yes", "y", "true", "t", "1", "up", "on" -> true;
      case "no", "n", "false", "f", "0", "down", "off" -> false;
      default -> {
        error(key, "Write yes or no");
        yield false;
      }
    };
  }

  private void error(String key, String remedy) {
    Value value = values.getOrDefault(key, new Value("", "", 0));
    findings.error(value.file(), value.line(), key, "value (" + value.text() + ") is none", remedy);
  }
}

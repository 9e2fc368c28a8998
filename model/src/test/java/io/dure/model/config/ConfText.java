package io.dure.model.config;

import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.model.config.slurmconf.ConfigDump;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Configuration files in memory. */
public final class ConfText implements ConfigSource {
  public static final String PATH = "/etc/slurm/slurm.conf";
  private final Map<String, String> files = new TreeMap<>();

  public static final String HEAD =
      """
      ClusterName=test
      SlurmctldHost=ctl
      NodeName=n[1-4] CPUs=4 RealMemory=1000
      PartitionName=debug Nodes=ALL Default=YES
      """;

  public ConfText file(String path, String text) {
    files.put(path, text);
    return this;
  }

  public ParsedConfig parse() {
    return SlurmConfParser.parse(PATH, this);
  }

  /** Reads one file as it stands. */
  public static ParsedConfig alone(String text) {
    return new ConfText().file(PATH, text).parse();
  }

  /** Reads a small cluster followed by the text. */
  public static ParsedConfig with(String text) {
    return alone(HEAD + text);
  }

  /** {@code LINE KEY: message} of each finding of that severity. */
  public static List<String> found(ParsedConfig parsed, Severity severity) {
    return parsed.diagnostics().stream()
        .filter(d -> d.severity() == severity)
        .map(d -> d.line() + " " + d.key() + ": " + d.message())
        .toList();
  }

  /** The lines of {@code scontrol show config} that begin with one of the words, in their order. */
  public static List<String> shown(String text, List<String> words) {
    Instant now = Instant.parse("2026-11-20T16:01:34Z");
    ConfigDump.RuntimeFacts facts =
        new ConfigDump.RuntimeFacts(now, now, ZoneOffset.UTC, 1, "26.05.3", 0, 0);
    return ConfigDump.lines(with(text).config(), facts).stream()
        .filter(line -> words.stream().anyMatch(line::startsWith))
        .toList();
  }

  @Override
  public @Nullable String read(String path) {
    return files.get(path);
  }

  @Override
  public List<String> list(String directory) {
    List<String> names = new ArrayList<>();
    for (String path : files.keySet()) {
      if (path.startsWith(directory) && path.indexOf('/', directory.length()) < 0) {
        names.add(path.substring(directory.length()));
      }
    }
    return names;
  }
}

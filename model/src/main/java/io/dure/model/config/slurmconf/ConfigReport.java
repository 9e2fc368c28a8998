package io.dure.model.config.slurmconf;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The text in which findings about a configuration are shown to people. */
public final class ConfigReport {
  private ConfigReport() {}

  /** One line for each finding and a last line that counts them. */
  public static List<String> lines(ParsedConfig parsed) {
    List<String> lines = new ArrayList<>();
    for (ConfigDiagnostic diagnostic : parsed.diagnostics()) {
      lines.add(line(diagnostic));
    }
    lines.add(summary(parsed));
    return lines;
  }

  /** One line for each finding that does not prevent a start and is worth a daemon's word. */
  public static List<String> remarks(ParsedConfig parsed) {
    return parsed.diagnostics().stream()
        .filter(d -> d.severity() == Severity.WARNING || d.severity() == Severity.NO_EFFECT)
        .map(ConfigReport::line)
        .toList();
  }

  /** {@code FILE:LINE: error: KEY: text. remedy}. */
  public static String line(ConfigDiagnostic diagnostic) {
    StringBuilder out = new StringBuilder(diagnostic.file());
    if (diagnostic.line() > 0) {
      out.append(':').append(diagnostic.line());
    }
    out.append(": ").append(diagnostic.severity().word()).append(": ");
    if (!diagnostic.key().isEmpty()) {
      out.append(diagnostic.key()).append(": ");
    }
    out.append(diagnostic.message());
    if (!diagnostic.remedy().isEmpty()) {
      String remedy = diagnostic.remedy();
      out.append(". ").append(remedy).append(remedy.endsWith("?") ? "" : ".");
    }
    return out.toString();
  }

  private static String summary(ParsedConfig parsed) {
    Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
    for (ConfigDiagnostic diagnostic : parsed.diagnostics()) {
      counts.merge(diagnostic.severity(), 1, Integer::sum);
    }
    ClusterConfig config = parsed.config();
    return config.path()
        + ": "
        + count(counts.getOrDefault(Severity.ERROR, 0), "error", "errors")
        + ", "
        + count(counts.getOrDefault(Severity.WARNING, 0), "warning", "warnings")
        + ", "
        + count(counts.getOrDefault(Severity.NO_EFFECT, 0), "setting", "settings")
        + " without effect yet; "
        + count(config.nodes().size(), "node", "nodes")
        + ", "
        + count(config.partitions().size(), "partition", "partitions");
  }

  private static String count(int number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }
}

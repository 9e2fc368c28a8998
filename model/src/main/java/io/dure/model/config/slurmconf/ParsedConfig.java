package io.dure.model.config.slurmconf;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import java.util.List;

/**
 * What reading a configuration gave: always a configuration, even from a file full of errors, so
 * that all findings can be listed at once.
 *
 * @param config what could be read, defaults for the rest
 * @param diagnostics the findings, in the order of the files' lines
 */
public record ParsedConfig(ClusterConfig config, List<ConfigDiagnostic> diagnostics) {
  public ParsedConfig {
    diagnostics = List.copyOf(diagnostics);
  }

  /** Whether a daemon must refuse to start with it. */
  public boolean hasErrors() {
    return !errors().isEmpty();
  }

  /** The findings for which a daemon refuses to start. */
  public List<ConfigDiagnostic> errors() {
    return diagnostics.stream().filter(d -> d.severity() == Severity.ERROR).toList();
  }
}

package io.dure.model.config.step;

import io.dure.model.HostList;
import io.dure.model.config.gres.GresConfFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads job_container.conf. Used once.
 *
 * @see <a href="https://slurm.schedmd.com/job_container.conf.html">job_container.conf(5)</a>
 */
public final class JobContainerConfReader {
  private static final List<String> FLAGS = List.of("autobasepath", "shared");
  private static final List<String> FLAG_VALUES =
      List.of("yes", "true", "up", "1", "no", "false", "down", "0");

  /** Known to Slurm, and without effect here. */
  private static final List<String> OTHERS =
      List.of(
          "clonensepilog",
          "clonensepilog_wait",
          "clonensscript",
          "clonensscript_wait",
          "entirestepinns");

  private final GresConfFindings findings;
  private final List<JobContainer.Word> words = new ArrayList<>();

  /** A reader. */
  public JobContainerConfReader(GresConfFindings findings) {
    this.findings = findings;
  }

  /** What it says. */
  public JobContainer container() {
    return new JobContainer(words);
  }

  /** Takes in a line. */
  public void add(String file, int line, List<Map.Entry<String, String>> assignments) {
    String nodes = "";
    for (Map.Entry<String, String> assignment : assignments) {
      String key = assignment.getKey().toLowerCase(Locale.ROOT);
      String value = assignment.getValue();
      if (key.equals("nodename")) {
        nodes = nodes(file, line, value);
      } else if (OTHERS.contains(key)) {
        findings.noEffect(file, line, assignment.getKey(), "read, and not acted on");
      } else {
        String remedy = remedy(key, value);
        if (remedy == null) {
          words.add(new JobContainer.Word(nodes, key, value));
        } else if (remedy.isEmpty()) {
          String message = "Parsing error at unrecognized key: " + assignment.getKey();
          findings.error(file, line, assignment.getKey(), message, "Remove it");
        } else {
          String message = "value (" + value + ") is not valid";
          findings.error(file, line, assignment.getKey(), message, remedy);
        }
      }
    }
  }

  private String nodes(String file, int line, String value) {
    try {
      HostList.expand(value);
      return value;
    } catch (IllegalArgumentException e) {
      findings.error(file, line, "NodeName", "value (" + value + ") is no host list", "Correct it");
      return "";
    }
  }

  /** What to write instead, empty for an unknown key, null for what is right. */
  private static @Nullable String remedy(String key, String value) {
    if (FLAGS.contains(key)) {
      return FLAG_VALUES.contains(value.toLowerCase(Locale.ROOT)) ? null : "Write true or false";
    }
    return switch (key) {
      case "basepath" ->
          value.startsWith("/") || value.equalsIgnoreCase("none")
              ? null
              : "Write an absolute path, or none";
      case "initscript" -> value.startsWith("/") ? null : "Write an absolute path";
      case "dirs" ->
          List.of(value.split(",", -1)).stream().allMatch(JobContainerConfReader::isDirectory)
              ? null
              : "Write absolute paths such as /tmp,/dev/shm";
      default -> "";
    };
  }

  /** The root itself would leave a job nothing. */
  private static boolean isDirectory(String path) {
    return path.matches("(/[^/]+)+") && !path.contains("/../") && !path.endsWith("/..");
  }
}

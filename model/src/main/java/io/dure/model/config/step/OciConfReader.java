package io.dure.model.config.step;

import io.dure.model.config.gres.GresConfFindings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads oci.conf. Used once.
 *
 * @see <a href="https://slurm.schedmd.com/oci.conf.html">oci.conf(5)</a>
 */
public final class OciConfReader {
  private static final List<String> TEXTS =
      List.of(
          "containerpath",
          "createenvfile",
          "disablecleanup",
          "envexclude",
          "ignorefileconfigjson",
          "mountspooldir",
          "runtimecreate",
          "runtimedelete",
          "runtimeenvexclude",
          "runtimekill",
          "runtimequery",
          "runtimerun",
          "runtimestart");

  /** Known to Slurm, and without effect here. */
  private static final List<String> OTHERS =
      List.of(
          "debugflags",
          "disablehooks",
          "filedebug",
          "srunargs",
          "srunpath",
          "stdiodebug",
          "syslogdebug");

  private static final List<String> YES = List.of("yes", "true", "up", "1");
  private static final List<String> NO = List.of("no", "false", "down", "0");

  private final GresConfFindings findings;
  private final Map<String, String> values = new TreeMap<>();

  /** A reader. */
  public OciConfReader(GresConfFindings findings) {
    this.findings = findings;
  }

  /** What it says, null where it names no command that runs a container. */
  public @Nullable OciSettings settings() {
    if (text("runtimerun").isEmpty()
        && (text("runtimecreate").isEmpty() || text("runtimestart").isEmpty())) {
      return null;
    }
    String file = text("createenvfile").toLowerCase(Locale.ROOT);
    return new OciSettings(
        text("containerpath"),
        values.getOrDefault("mountspooldir", "/var/run/slurm/"),
        text("runtimecreate"),
        text("runtimestart"),
        text("runtimerun"),
        text("runtimekill"),
        text("runtimedelete"),
        text("runtimequery"),
        YES.contains(file) ? "null" : NO.contains(file) || file.equals("disabled") ? "" : file,
        text("envexclude"),
        text("runtimeenvexclude"),
        YES.contains(text("disablecleanup").toLowerCase(Locale.ROOT)),
        YES.contains(text("ignorefileconfigjson").toLowerCase(Locale.ROOT)));
  }

  private String text(String key) {
    return values.getOrDefault(key, "");
  }

  /** Takes in a line. */
  public void add(String file, int line, List<Map.Entry<String, String>> words) {
    for (Map.Entry<String, String> word : words) {
      String key = word.getKey().toLowerCase(Locale.ROOT);
      String remedy = remedy(key, word.getValue());
      if (OTHERS.contains(key)) {
        findings.noEffect(file, line, word.getKey(), "read, and not acted on");
      } else if (!TEXTS.contains(key)) {
        String message = "Parsing error at unrecognized key: " + word.getKey();
        findings.error(file, line, word.getKey(), message, "Remove it");
      } else if (remedy != null) {
        String message = "value (" + word.getValue() + ") is not valid";
        findings.error(file, line, word.getKey(), message, remedy);
      } else {
        values.put(key, word.getValue());
      }
    }
  }

  private static @Nullable String remedy(String key, String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    boolean flag = YES.contains(lower) || NO.contains(lower);
    return switch (key) {
      case "containerpath", "mountspooldir" ->
          value.startsWith("/") ? null : "Write an absolute path";
      case "disablecleanup", "ignorefileconfigjson" -> flag ? null : "Write true or false";
      case "createenvfile" ->
          flag || List.of("null", "newline", "disabled").contains(lower)
              ? null
              : "Write null, newline or disabled";
      default -> null;
    };
  }
}

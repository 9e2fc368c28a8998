package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.config.slurmconf.SettingDefinition;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.SettingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/reference/settings.md is what the table of known keys says; {@code
 * libexec/settings-reference} writes it anew.
 */
@Tag("pure")
class SettingsReferenceTest {
  private static final String HEAD =
      """
      # Settings of slurm.conf

      Written by `libexec/settings-reference` from the table of known keys; do not edit it.

      Dure reads every key that Slurm 26.05 knows, without regard to case. In the column "used", `yes` is a key that
      something obeys; `default` one whose default is what happens, because what it would steer is not there (a plugin,
      a database, a port of `srun`); `no` one of which nothing comes. Another value of a `default`, and any value of a `no`, is
      checked for its form and told to have no effect by `./dure check-config`, at the start of each daemon and by
      `scontrol reconfigure`. An unknown key is an error; a key that Slurm no longer knows is a warning.
      [Configuring a cluster](../admin/configure.md) says what most clusters set.
      """;

  private static final Map<SettingDefinition.Use, String> USES =
      Map.of(
          SettingDefinition.Use.ACTED_ON,
          "yes",
          SettingDefinition.Use.DEFAULT_ONLY,
          "default",
          SettingDefinition.Use.NONE,
          "no");

  private static final String KINDS =
      """

      ## Kinds of values

      | kind | written as |
      |---|---|
      | text | any text; in quotes if it has spaces |
      | upper | a word or words; case does not matter, and they are shown in capitals |
      | repeated | any text; the key may stand on several lines |
      | number | a whole number from 0, perhaps with K, M or G (of 1024); UNLIMITED |
      | flag, bit | yes, no, true, false, up, down, 1 or 0; a bit is shown as 1 or 0 |
      | seconds, plain_seconds | seconds; INFINITE |
      | minutes, microseconds | minutes, microseconds; UNLIMITED |
      | time | minutes, or `[DAYS-]HH:MM:SS` and its shorter forms; UNLIMITED |
      | memory | MiB, perhaps with K, M, G or T; UNLIMITED |
      | percent, rate | a number: per cent, nodes per minute |
      | port | a TCP port, or a range of ports |
      | level | a level of logging: quiet to debug5, or 0 to 9 |
      | user | the name or number of a user |
      | program, programs | the absolute path of a program, in which `*` and `?` may stand; programs: on several lines |
      """;

  private static String reference() {
    StringBuilder text = new StringBuilder(HEAD);
    counts(text);
    section(text, Section.CLUSTER, "Cluster");
    section(text, Section.NODE, "Lines that begin with NodeName");
    section(text, Section.PARTITION, "Lines that begin with PartitionName");
    section(text, Section.NODE_SET, "Lines that begin with NodeSet");
    section(text, Section.DOWN_NODES, "Lines that begin with DownNodes");
    section(text, Section.FRONT_END, "Lines that begin with FrontendName");
    return text.append(KINDS).toString();
  }

  private static void counts(StringBuilder text) {
    text.append("\n| lines | yes | default | no | all |\n|---|---|---|---|---|\n");
    for (Section section : Section.values()) {
      Map<SettingDefinition.Use, Integer> counts = new EnumMap<>(SettingDefinition.Use.class);
      int all = 0;
      for (SettingDefinition setting : SettingTable.all(section)) {
        if (setting.kind() != SettingDefinition.Kind.RUNTIME) {
          counts.merge(setting.use(), 1, Integer::sum);
          all++;
        }
      }
      text.append("| ").append(section.opener().isEmpty() ? "the cluster's" : section.opener());
      for (SettingDefinition.Use use : SettingDefinition.Use.values()) {
        text.append(" | ").append(counts.getOrDefault(use, 0));
      }
      text.append(" | ").append(all).append(" |\n");
    }
  }

  private static void section(StringBuilder text, Section section, String title) {
    text.append("\n## ")
        .append(title)
        .append("\n\n| key | value | default | used |\n|---|---|---|---|\n");
    for (SettingDefinition setting : SettingTable.all(section)) {
      if (setting.kind() != SettingDefinition.Kind.RUNTIME) {
        String remedy = SettingTable.remedyForObsolete(section, setting.name());
        text.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    setting.name(),
                    setting.kind().name().toLowerCase(java.util.Locale.ROOT),
                    setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`",
                    remedy == null ? USES.get(setting.use()) : "obsolete: " + remedy));
      }
    }
  }

  @Test
  void theReferenceIsUpToDate() throws IOException {
    Path file = Path.of("..", "docs", "reference", "settings.md");
    if (Boolean.getBoolean("dure.reference.write")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, reference());
    }
    String stands = Files.exists(file) ? Files.readString(file) : "";
    assertEquals(reference(), stands, "run libexec/settings-reference");
  }
}

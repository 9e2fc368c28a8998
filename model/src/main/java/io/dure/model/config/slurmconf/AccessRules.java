package io.dure.model.config.slurmconf;

import io.dure.model.config.slurmconf.SettingDefinition.Section;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Rules of Slurm's that keep users out, or apart, and that Dure does not enforce. A daemon does not
 * start with one: whoever relies on it would not notice that it is gone.
 */
final class AccessRules {
  /** What to do about such a rule. */
  static final String REMEDY = "Remove it, if nobody relies on it";

  /**
   * Section, key, whether the words that follow are the harmless or the harmful ones, the words,
   * and what the rule does.
   */
  private static final String RULES =
      """
      cluster CommunicationParameters harmful disableipv4 keeps daemons from listening at IPv4 addresses
      cluster JobSubmitPlugins harmless none,all_partitions,lua,require_timelimit,defaults,logging,pbs lets a program refuse jobs
      cluster MCSPlugin harmless none keeps jobs of users with other labels apart
      cluster NamespaceType harmless none,tmpfs hides files of jobs from other users
      cluster UsePam harmless no,false,down,0 lets PAM keep users out
      partition Exclusive harmful topo keeps other jobs out of a job's part of the network
      partition ExclusiveTopo harmless no,false,down,0 keeps other jobs out of a job's part of the network
      front_end AllowGroups harmless all keeps users out
      front_end AllowUsers harmless all keeps users out
      front_end DenyGroups harmless none keeps users out
      front_end DenyUsers harmless none keeps users out
      """;

  private AccessRules() {}

  /** What the value of a key asks for that is not enforced, null for nothing. */
  static @Nullable String unenforced(Section section, String key, String value) {
    for (String row : RULES.lines().toList()) {
      List<String> cells = List.of(row.split(" ", 5));
      if (cells.get(0).equalsIgnoreCase(section.name()) && cells.get(1).equals(key)) {
        List<String> listed = List.of(cells.get(3).split(",", -1));
        boolean harmful = cells.get(2).equals("harmful");
        for (String word : ValueSyntax.list(value.toLowerCase(Locale.ROOT))) {
          if (listed.contains(word.substring(word.indexOf('/') + 1)) == harmful) {
            return word + " " + cells.get(4) + " in Slurm, and is not enforced here";
          }
        }
      }
    }
    return null;
  }
}

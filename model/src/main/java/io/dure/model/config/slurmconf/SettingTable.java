package io.dure.model.config.slurmconf;

import io.dure.model.config.slurmconf.SettingDefinition.Kind;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.SettingDefinition.Shown;
import io.dure.model.config.slurmconf.SettingDefinition.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every key that Slurm 26.05 knows in slurm.conf, with the names some of them had before and the
 * keys that are gone. Immutable; any thread may read it.
 */
public final class SettingTable {
  private static final SettingTable TABLE = new SettingTable();

  private final Map<Section, Map<String, SettingDefinition>> settings =
      new EnumMap<>(Section.class);
  private final Map<Section, Map<String, String>> aliases = new EnumMap<>(Section.class);
  private final Map<Section, Map<String, String>> obsolete = new EnumMap<>(Section.class);
  private final Map<Section, TreeSet<String>> removed = new EnumMap<>(Section.class);

  private SettingTable() {
    for (Section section : Section.values()) {
      settings.put(section, new LinkedHashMap<>());
      aliases.put(section, new LinkedHashMap<>());
      obsolete.put(section, new LinkedHashMap<>());
      removed.put(section, new TreeSet<>());
    }
    for (String row : rows(SlurmConfKeys.CLUSTER)) {
      List<String> cells = cells(row, 5);
      Shown shown = Shown.valueOf(upper(cells.get(3)));
      add(Section.CLUSTER, cells.getFirst(), cells.get(1), cells.get(2), cells.get(4), shown);
    }
    for (String row : rows(SlurmConfKeys.LINES)) {
      List<String> cells = cells(row, 5);
      Section section = Section.valueOf(upper(cells.getFirst()));
      add(section, cells.get(1), cells.get(2), cells.get(3), cells.get(4), Shown.NEVER);
    }
    pairs(SlurmConfKeys.ALIASES, aliases);
    pairs(SlurmConfKeys.OBSOLETE, obsolete);
    for (String row : rows(SlurmConfKeys.REMOVED)) {
      List<String> cells = cells(row, 2);
      in(removed, Section.valueOf(upper(cells.getFirst()))).add(lower(cells.get(1)));
    }
  }

  private static void pairs(String table, Map<Section, Map<String, String>> into) {
    for (String row : rows(table)) {
      List<String> cells = cells(row, 3);
      Section section = Section.valueOf(upper(cells.getFirst()));
      in(into, section).put(lower(cells.get(1)), cells.get(2));
    }
  }

  private void add(
      Section section, String name, String kind, String honoured, String text, Shown shown) {
    Use use =
        switch (honoured) {
          case "yes" -> Use.ACTED_ON;
          case "usual" -> Use.DEFAULT_ONLY;
          default -> Use.NONE;
        };
    SettingDefinition setting =
        new SettingDefinition(section, name, Kind.valueOf(upper(kind)), text, use, shown);
    of(section).put(lower(name), setting);
  }

  /** All keys of the lines of one kind; those of the cluster in the order Slurm prints them. */
  public static Collection<SettingDefinition> all(Section section) {
    return Collections.unmodifiableCollection(TABLE.of(section).values());
  }

  /** The key of that name, or of that earlier name, without regard to case; null if unknown. */
  public static @Nullable SettingDefinition find(Section section, String name) {
    String key = lower(name);
    String today = in(TABLE.aliases, section).get(key);
    SettingDefinition found = TABLE.of(section).get(today == null ? key : lower(today));
    return found == null || found.kind() == Kind.RUNTIME ? null : found;
  }

  /** Whether Slurm once had a key of that name and has it no more. */
  public static boolean isRemoved(Section section, String name) {
    return in(TABLE.removed, section).contains(lower(name));
  }

  /** What to write today in place of a key that is still read; null when the key is current. */
  public static @Nullable String remedyForObsolete(Section section, String name) {
    return in(TABLE.obsolete, section).get(lower(name));
  }

  /** The key whose name is nearest to a mistyped one, or null when none is near. */
  public static @Nullable String nearest(Section section, String name) {
    return nearest(
        all(section).stream()
            .filter(setting -> setting.kind() != Kind.RUNTIME)
            .map(SettingDefinition::name)
            .toList(),
        name);
  }

  /** The one of some names that is nearest to a mistyped one, or null when none is near. */
  public static @Nullable String nearest(List<String> names, String name) {
    if (name.length() > 40) {
      return null;
    }
    String best = null;
    int bestDistance = Math.max(1, Math.min(4, name.length() / 3)) + 1;
    for (String one : names) {
      int distance = distance(lower(name), lower(one), bestDistance);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = one;
      }
    }
    return best;
  }

  /** The kind of line that a key opens, {@link Section#CLUSTER} when it opens none. */
  static Section openedBy(String key) {
    for (Section section : Section.values()) {
      if (section.opener().equalsIgnoreCase(key)) {
        return section;
      }
    }
    return Section.CLUSTER;
  }

  private Map<String, SettingDefinition> of(Section section) {
    return in(settings, section);
  }

  private static <T> T in(Map<Section, T> map, Section section) {
    return Objects.requireNonNull(map.get(section));
  }

  /** Insertions, deletions, changes and swaps of neighbours from one word to another. */
  private static int distance(String a, String b, int bound) {
    if (Math.abs(a.length() - b.length()) >= bound) {
      return bound;
    }
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        least = Math.min(least, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[a.length()][b.length()];
  }

  private static List<String> rows(String table) {
    return table.lines().filter(row -> !row.isBlank()).toList();
  }

  private static List<String> cells(String row, int count) {
    List<String> cells = new ArrayList<>(List.of(row.trim().split("\\s+", count)));
    while (cells.size() < count) {
      cells.add("");
    }
    return cells;
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}

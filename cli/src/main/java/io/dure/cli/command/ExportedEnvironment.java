package io.dure.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment that travels with a job.
 *
 * @param variables names and values
 * @param loadUserEnvironment whether the user's login environment comes first
 */
public record ExportedEnvironment(Map<String, String> variables, boolean loadUserEnvironment) {

  /** The caller's token for this user; a job makes its own. */
  private static final String TOKEN = "SLURM_JWT";

  /**
   * What {@code --export} takes of an environment.
   *
   * @param environment the caller's, or that of {@code --export-file}
   * @param export {@code ALL}, {@code NONE}, {@code NIL} or a list of names and {@code NAME=value};
   *     null stands for {@code ALL}
   */
  public static ExportedEnvironment of(Map<String, String> environment, @Nullable String export) {
    Map<String, String> chosen = new LinkedHashMap<>();
    boolean load = false;
    if (export == null || export.equalsIgnoreCase("ALL")) {
      chosen.putAll(environment);
    } else if (export.equalsIgnoreCase("NIL")) {
      copyOwn(environment, chosen);
    } else if (export.equalsIgnoreCase("NONE")) {
      copyOwn(environment, chosen);
      load = true;
    } else {
      List<String> items = items(export);
      load = !items.remove("ALL");
      if (load) {
        copyOwn(environment, chosen);
      } else {
        chosen.putAll(environment);
      }
      for (String item : items) {
        copyItem(item, environment, chosen);
      }
    }
    chosen.remove(TOKEN);
    if (export != null && !export.equalsIgnoreCase("ALL")) {
      chosen.put("SLURM_EXPORT_ENV", export);
    }
    return new ExportedEnvironment(chosen, load);
  }

  private static void copyOwn(Map<String, String> from, Map<String, String> to) {
    for (Map.Entry<String, String> entry : from.entrySet()) {
      String name = entry.getKey();
      if (name.startsWith("SLURM_") || name.startsWith("SPANK_")) {
        to.put(name, entry.getValue());
      }
    }
  }

  private static void copyItem(String item, Map<String, String> from, Map<String, String> to) {
    int equals = item.indexOf('=');
    if (equals > 0) {
      to.put(item.substring(0, equals), item.substring(equals + 1));
      return;
    }
    String value = from.get(item);
    if (value != null) {
      to.put(item, value);
    }
  }

  /** Splits at commas outside quotes; the quotes themselves are dropped. */
  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    StringBuilder item = new StringBuilder();
    char quote = '\0';
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (quote != '\0') {
        if (letter == quote) {
          quote = '\0';
        } else {
          item.append(letter);
        }
      } else if (letter == '\'' || letter == '"') {
        quote = letter;
      } else if (letter == ',') {
        items.add(item.toString());
        item.setLength(0);
      } else {
        item.append(letter);
      }
    }
    items.add(item.toString());
    return items;
  }
}

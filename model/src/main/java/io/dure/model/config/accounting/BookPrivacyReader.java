package io.dure.model.config.accounting;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads from slurmdbd.conf what the books tell of others ({@code PrivateData}). It says so of an
 * embedded database too.
 *
 * @see <a href="https://slurm.schedmd.com/slurmdbd.conf.html">slurmdbd.conf(5)</a>
 */
public final class BookPrivacyReader {
  /** Everything that can be private in the books. */
  public static final List<String> WORDS =
      List.of("accounts", "events", "jobs", "reservations", "usage", "users");

  private static final String KEY = "PrivateData";

  private BookPrivacyReader() {}

  /**
   * What the file says.
   *
   * @param words some of {@link #WORDS}
   * @param diagnostics what is wrong with it
   */
  public record Found(List<String> words, List<ConfigDiagnostic> diagnostics) {
    public Found {
      words = List.copyOf(words);
      diagnostics = List.copyOf(diagnostics);
    }
  }

  /** Whether a key is read here. */
  static boolean reads(String key) {
    return KEY.equalsIgnoreCase(key);
  }

  /** Reads a slurmdbd.conf; nothing is private where there is none. */
  public static Found read(String file, ConfigSource source) {
    if (source.read(file) == null) {
      return new Found(List.of(), List.of());
    }
    List<String> words = new ArrayList<>();
    List<ConfigDiagnostic> wrong =
        SlurmConfParser.findings(found -> {
          // What else is wrong with the file is told where the rest of it is read.
          var _ =
              SlurmConfParser.lines(
                  file,
                  source,
                  (from, line, pairs) ->
                      pairs.forEach(pair -> {
                        if (reads(pair.getKey())) {
                          words.clear();
                          words.addAll(words(pair.getValue(), from, line, found));
                        }
                      }));
        });
    return new Found(words, wrong);
  }

  private static List<String> words(String text, String file, int line, GresConfFindings findings) {
    List<String> words = new ArrayList<>();
    for (String one : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      String word = one.strip();
      if (WORDS.contains(word)) {
        words.add(word);
      } else if (!word.isEmpty() && !word.equals("none")) {
        String message = "value (" + word + ") is nothing that can be private in the books";
        findings.error(file, line, KEY, message, "Write some of " + String.join(", ", WORDS));
      }
    }
    return words;
  }
}

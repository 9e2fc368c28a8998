package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.WallClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a script that set options. They are looked for down to the first line that is
 * neither blank nor a comment.
 *
 * @param components of each component of a heterogeneous job, the words of its {@code #SBATCH}
 *     lines in order; one component for any other job
 * @param oldPrefix whether a line starts with {@code #SLURM}, the prefix of old
 * @param oldSeparator whether components are parted by {@code packjob}, the word of old
 * @param foreign lines of another workload manager, of the first that is met; null if there are
 *     none
 */
public record ScriptDirectives(
    List<List<List<String>>> components,
    boolean oldPrefix,
    boolean oldSeparator,
    @Nullable ForeignDirectives foreign) {

  /** Those of what has no lines. */
  public static final ScriptDirectives NONE =
      new ScriptDirectives(List.of(List.of()), false, false, null);

  private static final int INVALID_DIRECTIVE = 255;
  private static final String PREFIX = "#SBATCH";
  private static final String OLD_PREFIX = "#SLURM";

  /**
   * Scans a script.
   *
   * @throws CommandException if the words of a line cannot be told apart
   */
  public static ScriptDirectives scan(BatchScript script) throws CommandException {
    String content = script.content();
    Lines lines = new Lines(script.label());
    boolean oldPrefix = false;
    ForeignDirectives foreign = null;
    int number = 0;
    int start = 0;
    while (start < content.length()) {
      int newline = content.indexOf('\n', start);
      int end = newline < 0 ? content.length() : newline;
      String line = content.substring(start, end);
      number++;
      if (!isComment(line)) {
        break;
      }
      if (line.startsWith(PREFIX)) {
        lines.add(line, PREFIX, number);
      } else if (line.startsWith(OLD_PREFIX)) {
        oldPrefix = true;
        lines.add(line, OLD_PREFIX, number);
      } else {
        foreign = foreign(foreign, line, script.label(), number);
      }
      start = end + 1;
    }
    return new ScriptDirectives(lines.components, oldPrefix, lines.oldSeparator, foreign);
  }

  /**
   * The words of one line of options.
   *
   * @param prefix what the line begins with
   * @param label what messages call the file
   * @throws CommandException if they cannot be told apart
   */
  public static List<String> words(String line, String prefix, String label, int number)
      throws CommandException {
    Lines lines = new Lines(label);
    lines.add(line, prefix, number);
    if (lines.components.size() > 1) {
      throw CommandException.fatal(label + ": line " + number + ": no heterogeneous job here");
    }
    return lines.components.getFirst().getFirst();
  }

  /** Sets the options of a component's lines; of one without lines none. */
  public void set(int component, SbatchSettings settings, String program) throws CommandException {
    if (component >= components.size()) {
      return;
    }
    for (List<String> words : components.get(component)) {
      OptionParser<SbatchOption> parser =
          new OptionParser<>(
              program, SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words);
      for (ParsedOption<SbatchOption> option : parser.all()) {
        settings.set(
            option.key(),
            "--" + option.key().longName(),
            option.value(),
            SbatchSettings.Source.SCRIPT);
      }
      if (!parser.operands().isEmpty()) {
        throw CommandException.error(
                "Invalid directive found in batch script: " + parser.operands().get(0))
            .withExitCode(INVALID_DIRECTIVE);
      }
    }
  }

  /** The same without lines of another workload manager. */
  public ScriptDirectives withoutForeign() {
    return new ScriptDirectives(components, oldPrefix, oldSeparator, null);
  }

  /**
   * Sets what lines of another workload manager ask for, unless they are to be passed over. They
   * count more than {@code #SBATCH} lines.
   */
  public void setForeign(SbatchSettings settings, WallClock clock, String program)
      throws CommandException {
    if (foreign != null && !settings.has(SbatchOption.IGNORE_PBS)) {
      foreign.set(settings, clock, program);
    }
  }

  private static boolean isComment(String line) {
    String text = line.strip();
    return text.isEmpty() || text.charAt(0) == '#';
  }

  /** With a line more, if it is one of those. */
  private static @Nullable ForeignDirectives foreign(
      @Nullable ForeignDirectives before, String line, String label, int number)
      throws CommandException {
    List<String> prefixes = before == null ? ForeignDirectives.PREFIXES : List.of(before.prefix());
    for (String prefix : prefixes) {
      int end = prefix.length();
      if (line.startsWith(prefix) && line.length() > end && isBlank(line.charAt(end))) {
        List<List<String>> all = new ArrayList<>(before == null ? List.of() : before.lines());
        all.add(words(line, prefix, label, number));
        return new ForeignDirectives(prefix, List.copyOf(all));
      }
    }
    return before;
  }

  private static boolean isBlank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
  }

  /** The words of the lines so far; some of them begin another component. */
  private static final class Lines {
    private final String label;
    private final List<List<List<String>>> components = new ArrayList<>();
    private boolean oldSeparator;

    Lines(String label) {
      this.label = label;
      components.add(new ArrayList<>());
    }

    void add(String line, String prefix, int number) throws CommandException {
      byte[] bytes = line.substring(prefix.length()).getBytes(StandardCharsets.ISO_8859_1);
      Tokens tokens = new Tokens(new String(bytes, StandardCharsets.UTF_8));
      List<String> words = new ArrayList<>();
      int before = 0;
      for (String word = tokens.next(); word != null; word = tokens.next()) {
        if (word.equals(":")) {
          throw CommandException.fatal(
              label
                  + ": line "
                  + number
                  + ": Unexpected `:` in ["
                  + tokens.text.substring(before).strip()
                  + "]");
        }
        if (word.equals("hetjob") || word.equals("packjob")) {
          oldSeparator |= word.equals("packjob");
          components.getLast().add(words);
          components.add(new ArrayList<>());
          words = new ArrayList<>();
        } else {
          words.add(word);
        }
        before = tokens.at;
      }
      if (tokens.openQuote != '\0') {
        throw CommandException.fatal(
            label
                + ": line "
                + number
                + ": Unmatched `"
                + tokens.openQuote
                + "` in ["
                + line
                + "]");
      }
      components.getLast().add(words);
    }
  }

  /** The words of one line: quotes group, a backslash takes the next character as it is. */
  private static final class Tokens {
    private final String text;
    private int at;
    private char openQuote = '\0';

    Tokens(String text) {
      this.text = text;
    }

    @Nullable String next() {
      while (at < text.length() && isBlank(text.charAt(at))) {
        at++;
      }
      if (at >= text.length() || text.charAt(at) == '#') {
        return null;
      }
      StringBuilder word = new StringBuilder();
      char quote = '\0';
      while (at < text.length()) {
        char letter = text.charAt(at);
        if (letter == '\\' && at + 1 < text.length()) {
          at++;
          word.append(text.charAt(at));
        } else if (quote != '\0') {
          if (letter == quote) {
            quote = '\0';
          } else {
            word.append(letter);
          }
        } else if (letter == '"' || letter == '\'') {
          quote = letter;
        } else if (letter == '#') {
          at = text.length();
          break;
        } else if (isBlank(letter)) {
          break;
        } else {
          word.append(letter);
        }
        at++;
      }
      openQuote = quote;
      return quote == '\0' ? word.toString() : null;
    }
  }
}

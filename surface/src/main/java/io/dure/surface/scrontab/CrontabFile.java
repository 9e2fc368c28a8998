package io.dure.surface.scrontab;

import io.dure.model.cron.CronEntry;
import io.dure.model.cron.CronSchedule;
import io.dure.model.cron.CronSyntaxException;
import io.dure.model.cron.Crontab;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.ScriptDirectives;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A crontab as a user writes it: comments, settings of variables, and entries, each behind the
 * {@code #SCRON} lines with its options.
 *
 * @param text its bytes, one char (0 to 255) for each byte, with a line feed behind each line
 * @param entries its entries that are whole, in their order
 * @param problems lines that are none of all this
 */
public record CrontabFile(String text, List<Entry> entries, List<Problem> problems) {
  /** Before the lines of an entry that cannot be taken. */
  private static final String BAD = "#BAD: ";

  private static final String LABEL = "crontab";
  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)", Pattern.DOTALL);
  private static final Pattern WORD_ENTRY = Pattern.compile("(@\\S*)[ \t]*(.*)", Pattern.DOTALL);
  private static final Pattern FIELD_ENTRY =
      Pattern.compile("((?:\\S+[ \t]+){4}\\S+)[ \t]*(.*)", Pattern.DOTALL);

  /** The controller has the time zone. */
  private static final String NO_ZONE = "UTC";

  /**
   * An entry.
   *
   * @param time its times and lines
   * @param command what the shell is to do, a char for each byte
   * @param options words of its {@code #SCRON} lines
   * @param variables {@code NAME=value}, as the lines before it set them
   */
  public record Entry(
      CronEntry time, String command, List<String> options, List<String> variables) {}

  /**
   * What is wrong.
   *
   * @param firstLine where it begins, from 1
   * @param lastLine where it ends
   * @param text what to tell of it
   */
  public record Problem(int firstLine, int lastLine, String text) {}

  /** Reads a crontab. */
  public static CrontabFile read(String text) {
    String whole = text.isEmpty() || text.endsWith("\n") ? text : text + '\n';
    Reading reading = new Reading();
    for (String line : whole.split("\n", -1)) {
      reading.line(line);
    }
    reading.end();
    return new CrontabFile(whole, List.copyOf(reading.entries), List.copyOf(reading.problems));
  }

  /** Its text with the lines of problems as comments; what only stands between them is kept. */
  public String marked(List<Problem> wrong) {
    StringBuilder marked = new StringBuilder();
    int number = 1;
    for (String line : text.split("(?<=\n)", -1)) {
      int at = number++;
      boolean options = Crontab.isOptions(line);
      boolean bad =
          wrong.stream()
              .anyMatch(one ->
                  at == one.lastLine() || options && at >= one.firstLine() && at < one.lastLine());
      marked.append(bad ? BAD : "").append(line);
    }
    return marked.toString();
  }

  private static String decoded(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static final class Reading {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> variables = new ArrayList<>();
    private List<String> options = new ArrayList<>();

    /** What is wrong with the options of the next entry, which does not come without them. */
    private final List<String> wrongOptions = new ArrayList<>();

    private int firstOption;
    private int lastOption;
    private int number;

    void line(String line) {
      number++;
      String text = line.strip();
      Matcher setting = SETTING.matcher(text);
      if (Crontab.isOptions(line)) {
        options(line);
      } else if (text.isEmpty() || text.startsWith("#")) {
        return;
      } else if (setting.matches()) {
        set(setting.group(1), setting.group(2));
      } else {
        entry(text);
      }
    }

    private void options(String line) {
      firstOption = firstOption == 0 ? number : firstOption;
      lastOption = number;
      try {
        options.addAll(ScriptDirectives.words(line, Crontab.OPTIONS, LABEL, number));
      } catch (CommandException e) {
        String place = LABEL + ": line " + number + ": ";
        e.messages().forEach(one -> wrongOptions.add(one.text().replace(place, "")));
      }
    }

    /** Options behind the last entry are of none. */
    void end() {
      if (firstOption > 0) {
        number = lastOption;
        wrongOptions.add("no entry stands behind these options");
        ofEntry(firstOption);
      }
    }

    private void problem(int from, String text) {
      problems.add(new Problem(from, number, text));
    }

    /** Problems of all lines of an entry; without some of them it would be another one. */
    private void ofEntry(int from) {
      wrongOptions.forEach(text -> problem(from, text));
    }

    /** A value may be in quotes, which are not part of it. */
    private void set(String name, String value) {
      char first = value.isEmpty() ? '\0' : value.charAt(0);
      boolean quoted =
          value.length() > 1 && (first == '"' || first == '\'') && value.endsWith("" + first);
      variables.removeIf(one -> one.startsWith(name + "="));
      variables.add(name + "=" + decoded(quoted ? value.substring(1, value.length() - 1) : value));
    }

    private void entry(String text) {
      int from = firstOption == 0 ? number : firstOption;
      ofEntry(from);
      Matcher parts = (text.startsWith("@") ? WORD_ENTRY : FIELD_ENTRY).matcher(text);
      if (!parts.matches()) {
        problem(from, "an entry has five fields and a command");
      } else if (parts.group(2).isEmpty()) {
        problem(from, "an entry has a command behind its time");
      } else {
        try {
          String time = decoded(parts.group(1)).replaceAll("[ \t]+", " ");
          CronEntry when = new CronEntry(CronSchedule.parse(time), NO_ZONE, from, number);
          if (wrongOptions.isEmpty()) {
            entries.add(
                new Entry(when, parts.group(2), List.copyOf(options), List.copyOf(variables)));
          }
        } catch (CronSyntaxException e) {
          problem(from, String.valueOf(e.getMessage()));
        }
      }
      options = new ArrayList<>();
      wrongOptions.clear();
      firstOption = 0;
    }
  }
}

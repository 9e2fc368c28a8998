package io.dure.model.config.slurmconf;

import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a file and those it includes into statements: comments, continuations, Include. */
final class StatementReader {
  private static final int DEEPEST = 10;
  private static final int MOST_FILES = 1000;

  private final ConfigSource source;
  private final DiagnosticCollector diagnostics;
  private final String directory;
  private final List<Statement> statements = new ArrayList<>();
  private final List<String> open = new ArrayList<>();
  private final List<String> files = new ArrayList<>();
  private int filesRead;
  private String clusterName = "";

  StatementReader(String path, ConfigSource source, DiagnosticCollector diagnostics) {
    this.source = source;
    this.diagnostics = diagnostics;
    this.directory = path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** The statements of the file and of all that it includes, in order. */
  List<Statement> read(String path) {
    read(path, new SourceLocation(path, 0));
    return statements;
  }

  /** The files that were read, in order. */
  List<String> files() {
    return files;
  }

  private void read(String path, SourceLocation from) {
    if (open.contains(path)) {
      diagnostics.error(from, "Include", path + " includes itself", "Remove one of the lines");
      return;
    }
    if (open.size() > DEEPEST || filesRead >= MOST_FILES) {
      String text = "too many files, or nested deeper than " + DEEPEST;
      diagnostics.error(from, "Include", text, "Include fewer files");
      return;
    }
    filesRead++;
    String text = source.read(path);
    if (text == null) {
      String key = from.line() == 0 ? "" : "Include";
      String remedy = "Create it, or make it readable for all users";
      diagnostics.error(from, key, "cannot read " + path, remedy);
      return;
    }
    open.add(path);
    if (!files.contains(path)) {
      files.add(path);
    }
    readText(path, text);
    open.removeLast();
  }

  private void readText(String path, String text) {
    int number = 0;
    StringBuilder line = new StringBuilder();
    int firstLine = 1;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      String raw = text.substring(at, end < 0 ? text.length() : end);
      at = end < 0 ? text.length() : end + 1;
      number++;
      if (line.isEmpty()) {
        firstLine = number;
      }
      String continued = withoutContinuation(raw);
      if (continued != null && at < text.length()) {
        line.append(continued).append(' ');
        continue;
      }
      line.append(continued == null ? raw : continued);
      accept(new SourceLocation(path, firstLine), withoutComment(line));
      line.setLength(0);
    }
  }

  /** The line before the backslash that continues it, or null when it is not continued. */
  private static @Nullable String withoutContinuation(String raw) {
    String line = raw.stripTrailing();
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1 ? line.substring(0, line.length() - 1) : null;
  }

  /** The line up to its comment; a backslash takes the meaning from the character after it. */
  private static String withoutComment(CharSequence line) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '#') {
        break;
      }
      if (c == '\\' && i + 1 < line.length()) {
        i++;
      }
      out.append(line.charAt(i));
    }
    return out.toString();
  }

  private void accept(SourceLocation place, String line) {
    String text = line.strip();
    if (text.isEmpty()) {
      return;
    }
    String included = includedBy(text);
    if (included != null) {
      include(place, included);
      return;
    }
    Statement statement = Statement.parse(place, text);
    for (Assignment assignment : statement.assignments()) {
      if (assignment.key().equalsIgnoreCase("ClusterName")) {
        clusterName = assignment.value().toLowerCase(Locale.ROOT);
      }
    }
    statements.add(statement);
  }

  private static @Nullable String includedBy(String text) {
    String word = "include";
    boolean is =
        text.length() > word.length()
            && text.regionMatches(true, 0, word, 0, word.length())
            && Character.isWhitespace(text.charAt(word.length()));
    if (!is) {
      return null;
    }
    String path = text.substring(word.length()).strip();
    boolean quoted = path.length() > 1 && path.startsWith("\"") && path.endsWith("\"");
    return path.startsWith("=") ? null : quoted ? path.substring(1, path.length() - 1) : path;
  }

  private void include(SourceLocation place, String named) {
    String path = named.replace("%c", clusterName);
    String full = path.startsWith("/") ? path : directory + path;
    int slash = full.lastIndexOf('/');
    String pattern = full.substring(slash + 1);
    if (!Glob.isPattern(pattern)) {
      read(full, place);
      return;
    }
    String parent = full.substring(0, slash + 1);
    List<String> names =
        source.list(parent).stream().filter(n -> Glob.matches(pattern, n)).sorted().toList();
    if (names.isEmpty()) {
      diagnostics.info(place, "Include", "no file matches " + full);
    }
    for (String name : names) {
      read(parent + name, place);
    }
  }

  /** File name patterns with {@code *}, {@code ?} and {@code [abc]}. */
  private static final class Glob {
    static boolean isPattern(String name) {
      return name.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    static boolean matches(String pattern, String name) {
      int star = -1;
      int resume = 0;
      int i = 0;
      int j = name.startsWith(".") ? name.length() + 1 : 0;
      while (j < name.length()) {
        int next = i < pattern.length() ? step(pattern, i, name.charAt(j)) : -1;
        if (i < pattern.length() && pattern.charAt(i) == '*') {
          star = i++;
          resume = j;
        } else if (next > 0) {
          i = next;
          j++;
        } else if (star >= 0) {
          i = star + 1;
          j = ++resume;
        } else {
          return false;
        }
      }
      while (i < pattern.length() && pattern.charAt(i) == '*') {
        i++;
      }
      return i == pattern.length() && j == name.length();
    }

    /** Where the pattern goes on after matching one character at {@code i}, or -1. */
    private static int step(String pattern, int i, char c) {
      char want = pattern.charAt(i);
      if (want == '?') {
        return i + 1;
      }
      int close = pattern.indexOf(']', i + 2);
      if (want != '[' || close < 0) {
        return want == c && want != '*' ? i + 1 : -1;
      }
      boolean negated = pattern.charAt(i + 1) == '!' || pattern.charAt(i + 1) == '^';
      boolean found = false;
      for (int k = negated ? i + 2 : i + 1; k < close; k++) {
        boolean range = k + 2 < close && pattern.charAt(k + 1) == '-';
        char high = range ? pattern.charAt(k + 2) : pattern.charAt(k);
        found |= pattern.charAt(k) <= c && c <= high;
        k += range ? 2 : 0;
      }
      return found != negated ? close + 1 : -1;
    }
  }

  /** {@code key=value} as written, quotes removed. */
  record Assignment(String key, String value) {}

  /**
   * One logical line of a configuration file, cut into assignments.
   *
   * @param place where it begins
   * @param assignments what it assigns, in order
   * @param rest what could not be read, empty when all could
   */
  record Statement(SourceLocation place, List<Assignment> assignments, String rest) {

    static Statement parse(SourceLocation place, String text) {
      List<Assignment> assignments = new ArrayList<>();
      Cursor cursor = new Cursor(text);
      while (!cursor.atEnd()) {
        int start = cursor.at;
        Assignment assignment = cursor.assignment();
        if (assignment == null) {
          return new Statement(place, assignments, text.substring(start).strip());
        }
        assignments.add(assignment);
      }
      return new Statement(place, assignments, "");
    }

    /** Reads one line from left to right. */
    private static final class Cursor {
      private final String text;
      private int at;

      Cursor(String text) {
        this.text = text;
        skipBlanks();
      }

      boolean atEnd() {
        return at >= text.length();
      }

      @Nullable Assignment assignment() {
        int start = at;
        while (!atEnd() && isKeyPart(text.charAt(at))) {
          at++;
        }
        String key = text.substring(start, at);
        skipBlanks();
        if (key.isEmpty() || atEnd() || text.charAt(at) != '=') {
          return null;
        }
        at++;
        skipBlanks();
        String value = value();
        skipBlanks();
        return new Assignment(key, value);
      }

      private String value() {
        if (!atEnd() && text.charAt(at) == '"') {
          int close = text.indexOf('"', at + 1);
          boolean whole =
              close >= 0
                  && (close + 1 == text.length() || Character.isWhitespace(text.charAt(close + 1)));
          if (whole) {
            String value = text.substring(at + 1, close);
            at = close + 1;
            return value;
          }
        }
        int start = at;
        boolean quoted = false;
        while (!atEnd() && (quoted || !Character.isWhitespace(text.charAt(at)))) {
          if (text.charAt(at) == '"') {
            quoted = !quoted && text.indexOf('"', at + 1) >= 0;
          }
          at++;
        }
        return text.substring(start, at);
      }

      private void skipBlanks() {
        while (!atEnd() && Character.isWhitespace(text.charAt(at))) {
          at++;
        }
      }

      private static boolean isKeyPart(char c) {
        return c == '_' || c == '.' || (c < 128 && Character.isLetterOrDigit(c));
      }
    }
  }
}

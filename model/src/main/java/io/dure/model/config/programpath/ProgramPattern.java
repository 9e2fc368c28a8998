package io.dure.model.config.programpath;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of an administrator's program, or of several: its last part may hold {@code *}, {@code
 * ?}, {@code [a-z]}, {@code [!a-z]} and, before a letter that shall mean itself, a backslash, as
 * told in glob(7). As there, a name that begins with a dot is met only by a dot. Immutable; any
 * thread.
 */
public final class ProgramPattern {
  private static final String WILD = "*?[";

  private final String text;
  private final @Nullable Pattern names;

  private ProgramPattern(String text, @Nullable Pattern names) {
    this.text = text;
    this.names = names;
  }

  /** Reads a pattern; null for one that cannot be understood, such as a {@code [} without end. */
  public static @Nullable ProgramPattern parse(String text) {
    String name = text.substring(text.lastIndexOf('/') + 1);
    if (text.indexOf('\0') >= 0) {
      return null;
    }
    if (name.chars().noneMatch(c -> WILD.indexOf(c) >= 0)) {
      return new ProgramPattern(text, null);
    }
    String regex = new Reader(name).regex();
    return regex == null ? null : new ProgramPattern(text, Pattern.compile(regex, Pattern.DOTALL));
  }

  /** Whether it stands for the one path that it is written as. */
  public boolean isPath() {
    return names == null;
  }

  /** Where the programs lie, with a slash at the end; empty for a name without a directory. */
  public String directory() {
    return text.substring(0, text.lastIndexOf('/') + 1);
  }

  /** Whether a file of that name in {@link #directory} is meant. */
  public boolean matches(String name) {
    Pattern pattern = names;
    return pattern == null
        ? name.equals(text.substring(directory().length()))
        : pattern.matcher(name).matches();
  }

  /** Turns a pattern of names into a regular expression. */
  private static final class Reader {
    private final String name;
    private final StringBuilder regex = new StringBuilder();
    private int at;

    Reader(String name) {
      this.name = name;
    }

    @Nullable String regex() {
      if (name.charAt(0) != '.') {
        regex.append("(?!\\.)");
      }
      while (at < name.length()) {
        char c = name.charAt(at++);
        switch (c) {
          case '*' -> regex.append(".*");
          case '?' -> regex.append('.');
          case '[' -> {
            if (!set()) {
              return null;
            }
          }
          case '\\' -> {
            if (at == name.length()) {
              return null;
            }
            literal(name.charAt(at++));
          }
          default -> literal(c);
        }
      }
      return regex.toString();
    }

    /** The letters between brackets, of which a {@code ]} may be the first. */
    private boolean set() {
      boolean none = at < name.length() && "!^".indexOf(name.charAt(at)) >= 0;
      at += none ? 1 : 0;
      int end = name.indexOf(']', at + 1);
      if (end < 0) {
        return false;
      }
      regex.append(none ? "[^" : "[");
      while (at < end) {
        char low = name.charAt(at++);
        literal(low);
        if (at + 1 < end && name.charAt(at) == '-') {
          char high = name.charAt(at + 1);
          if (high < low) {
            return false;
          }
          regex.append('-');
          literal(high);
          at += 2;
        }
      }
      regex.append(']');
      at = end + 1;
      return true;
    }

    private void literal(char c) {
      // A backslash before a letter or digit would mean something else, or nothing.
      if (c < 128 && !Character.isLetterOrDigit(c)) {
        regex.append('\\');
      }
      regex.append(c);
    }
  }
}

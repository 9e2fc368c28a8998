package io.dure.surface.document;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Locale;

/** YAML as Slurm writes it: one member in each line, with its type. */
public final class YamlNotation implements DocumentNotation {
  private static final String NO_BEGINNING = " -?:,[]{}#&*!|>'\"%@`";
  private static final int FIRST_NONCHARACTER = 0xfdd0;
  private static final int LAST_NONCHARACTER = 0xfdef;
  private static final int NONCHARACTERS_AT_END = 0xfffe;

  /** An object or a list that has been started. */
  private static final class Level {
    private final boolean list;
    private final int indent;
    private boolean empty = true;

    Level(boolean list, int indent) {
      this.list = list;
      this.indent = indent;
    }
  }

  private final Writer out;
  private final Deque<Level> open = new ArrayDeque<>();

  public YamlNotation(OutputStream stream) {
    out = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
  }

  @Override
  public void startObject() {
    if (open.isEmpty()) {
      write("%YAML 1.1\n--- !!map");
      open.push(new Level(false, 0));
    } else {
      start("", false);
    }
  }

  @Override
  public void startObject(String name) {
    start(name, false);
  }

  @Override
  public void endObject() {
    end("{}");
  }

  @Override
  public void startList(String name) {
    start(name, true);
  }

  @Override
  public void endList() {
    end("[]");
  }

  @Override
  public void text(String value) {
    text("", value);
  }

  @Override
  public void text(String name, String value) {
    item(name);
    write("!!str " + scalar(value) + "\n");
  }

  @Override
  public void number(String name, long value) {
    item(name);
    write("!!int " + value + "\n");
  }

  @Override
  public void fraction(String name, double value) {
    item(name);
    write("!!float " + String.format(Locale.ROOT, "%f", value) + "\n");
  }

  @Override
  public void flag(String name, boolean value) {
    item(name);
    write("!!bool " + value + "\n");
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, long number) {
    startOptional(name, set, infinite);
    number("number", number);
    endObject();
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, double number) {
    startOptional(name, set, infinite);
    fraction("number", number);
    endObject();
  }

  private void startOptional(String name, boolean set, boolean infinite) {
    startObject(name);
    flag("set", set);
    flag("infinite", infinite);
  }

  @Override
  public void close() {
    write("...\n");
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(String name, boolean list) {
    int indent = open.element().indent;
    item(name);
    write(list ? "!!seq" : "!!map");
    // A list stands as far to the right as its name.
    open.push(new Level(list, list ? indent : indent + 2));
  }

  /** Whether something is empty is known when the next thing is written. */
  private void end(String nothing) {
    if (open.pop().empty) {
      write(" " + nothing + "\n");
    }
  }

  private void item(String name) {
    Level in = open.element();
    if (in.empty) {
      in.empty = false;
      write("\n");
    }
    write(" ".repeat(in.indent));
    write(in.list ? "- " : "!!str " + name + ": ");
  }

  /** A text as it is where that is unmistakable, else in quotes. */
  private static String scalar(String text) {
    boolean printable = text.codePoints().allMatch(YamlNotation::isPrintable);
    if (!printable) {
      return inDoubleQuotes(text);
    }
    boolean plain =
        !text.isEmpty()
            && NO_BEGINNING.indexOf(text.charAt(0)) < 0
            && !text.endsWith(" ")
            && !text.endsWith(":")
            && !text.contains(": ")
            && !text.contains(" #");
    return plain ? text : "'" + text.replace("'", "''") + "'";
  }

  /** Noncharacters are left out too, which YAML has in part and its readers refuse in part. */
  private static boolean isPrintable(int letter) {
    return letter >= ' '
        && (letter < 0x7f || letter >= 0xa0)
        && letter != '\u2028'
        && letter != '\u2029'
        && letter != '\ufeff'
        && letter < NONCHARACTERS_AT_END
        && (letter < FIRST_NONCHARACTER || letter > LAST_NONCHARACTER)
        && !Character.isSurrogate((char) letter);
  }

  private static String inDoubleQuotes(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(letter -> {
          switch (letter) {
            case '"', '\\' -> quoted.append('\\').appendCodePoint(letter);
            case '\n' -> quoted.append("\\n");
            case '\t' -> quoted.append("\\t");
            default -> {
              if (letter >= ' ' && letter < 0x7f) {
                quoted.appendCodePoint(letter);
              } else {
                quoted.append("\\U").append(HexFormat.of().toHexDigits(letter));
              }
            }
          }
        });
    return quoted.append('"').toString();
  }

  private void write(String text) {
    try {
      out.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

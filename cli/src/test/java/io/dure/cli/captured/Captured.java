package io.dure.cli.captured;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A command line whose output a real Slurm 22.05 printed.
 *
 * @param name the file of the output, without its ending
 * @param words the command line
 * @param order the order in which the controller tells the jobs
 * @param without a pattern of lines that are about what Dure does not have, null for none
 * @param exitCode what the command returns
 */
record Captured(String name, List<String> words, Order order, Pattern without, int exitCode) {

  /** Which jobs the controller tells, and in which order; it shows where rows are equal. */
  enum Order {
    AS_SHOWN,
    BY_ID,
    /** As many as there were. */
    FORTY,
    /** The queue some minutes later. */
    LATER,
    /** One job that was held by its owner. */
    HELD,
    /** One job that was put back into the queue. */
    REQUEUED
  }

  static Captured of(String name, String... words) {
    return new Captured(name, List.of(words), Order.AS_SHOWN, null, 0);
  }

  Captured told(Order newOrder) {
    return new Captured(name, words, newOrder, without, exitCode);
  }

  Captured without(String lines) {
    return new Captured(name, words, order, Pattern.compile(lines), exitCode);
  }

  Captured exit(int code) {
    return new Captured(name, words, order, without, code);
  }

  String output() {
    return text(".out");
  }

  String errors() {
    return text(".err");
  }

  private String text(String ending) {
    try (InputStream in = Captured.class.getResourceAsStream("/captures/" + name + ending)) {
      if (in == null) {
        return "";
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return kept(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a text that are compared. */
  String kept(String text) {
    if (without == null) {
      return text;
    }
    StringBuilder kept = new StringBuilder();
    for (String line : text.split("(?<=\n)", -1)) {
      if (!without.matcher(line).find()) {
        kept.append(line);
      }
    }
    return kept.toString();
  }

  @Override
  public String toString() {
    return name;
  }
}

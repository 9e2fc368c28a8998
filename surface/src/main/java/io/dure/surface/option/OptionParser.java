package io.dure.surface.option;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of a command line one after another as GNU {@code getopt_long} does: bundled
 * letters, {@code --name=value} and {@code --name value}, unique prefixes of long names, {@code --}
 * as the end of options. For one thread and one command line.
 */
public final class OptionParser<K> {

  /** What a word that is no option means. */
  public enum Operands {
    /** It is kept, and options may follow it. */
    MIXED,
    /** It and all words after it are operands. */
    END_OPTIONS
  }

  private final List<OptionSpec<K>> table;
  private final String program;
  private final Operands rule;
  private final List<String> words;
  private final List<String> operands = new ArrayList<>();
  private int next;
  private String bundle = "";
  private int bundleNext;

  /**
   * A parser at the start of a command line.
   *
   * @param program the name in messages
   * @param table all options, in the order in which possibilities are listed
   * @param words the arguments after the program's name
   */
  public OptionParser(
      String program, List<OptionSpec<K>> table, Operands rule, List<String> words) {
    this.program = program;
    this.table = table;
    this.rule = rule;
    this.words = words;
  }

  /**
   * The next option, or null when there is none; then {@link #operands} is complete.
   *
   * @throws CommandException for a word that is no option of the table or lacks its argument
   */
  public @Nullable ParsedOption<K> next() throws CommandException {
    if (bundleNext < bundle.length()) {
      return letter();
    }
    while (next < words.size()) {
      String word = words.get(next++);
      if (word.length() < 2 || word.charAt(0) != '-') {
        operands.add(word);
        if (rule == Operands.END_OPTIONS) {
          takeRest();
        }
      } else if (word.equals("--")) {
        takeRest();
      } else if (word.charAt(1) == '-') {
        return longOption(word);
      } else {
        bundle = word;
        bundleNext = 1;
        return letter();
      }
    }
    return null;
  }

  /** All options that are left. */
  public List<ParsedOption<K>> all() throws CommandException {
    List<ParsedOption<K>> found = new ArrayList<>();
    for (ParsedOption<K> one = next(); one != null; one = next()) {
      found.add(one);
    }
    return found;
  }

  /** The words that are no options, in order. */
  public List<String> operands() {
    return operands;
  }

  private void takeRest() {
    while (next < words.size()) {
      operands.add(words.get(next++));
    }
  }

  private ParsedOption<K> letter() throws CommandException {
    char letter = bundle.charAt(bundleNext++);
    OptionSpec<K> spec = byLetter(letter);
    if (spec == null) {
      throw bad("invalid option -- '" + letter + "'");
    }
    boolean last = bundleNext >= bundle.length();
    if (spec.argument() == OptionArgument.NONE
        || (spec.argument() == OptionArgument.OPTIONAL && last)) {
      return new ParsedOption<>(spec.key(), null);
    }
    if (!last) {
      String value = bundle.substring(bundleNext);
      bundleNext = bundle.length();
      return new ParsedOption<>(spec.key(), value);
    }
    if (next >= words.size()) {
      throw bad("option requires an argument -- '" + letter + "'");
    }
    return new ParsedOption<>(spec.key(), words.get(next++));
  }

  private ParsedOption<K> longOption(String word) throws CommandException {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
    OptionSpec<K> spec = byName(name, word);
    if (equals >= 0) {
      if (spec.argument() == OptionArgument.NONE) {
        throw bad("option '--" + spec.name() + "' doesn't allow an argument");
      }
      return new ParsedOption<>(spec.key(), word.substring(equals + 1));
    }
    if (spec.argument() != OptionArgument.REQUIRED) {
      return new ParsedOption<>(spec.key(), null);
    }
    if (next >= words.size()) {
      throw bad("option '--" + spec.name() + "' requires an argument");
    }
    return new ParsedOption<>(spec.key(), words.get(next++));
  }

  private @Nullable OptionSpec<K> byLetter(char letter) {
    for (OptionSpec<K> spec : table) {
      if (spec.letter() == letter && letter != OptionSpec.NO_LETTER) {
        return spec;
      }
    }
    return null;
  }

  private OptionSpec<K> byName(String name, String word) throws CommandException {
    List<OptionSpec<K>> candidates = new ArrayList<>();
    for (OptionSpec<K> spec : table) {
      if (spec.name().isEmpty()) {
        continue;
      }
      if (spec.name().equals(name)) {
        return spec;
      }
      if (spec.name().startsWith(name)) {
        candidates.add(spec);
      }
    }
    if (candidates.isEmpty()) {
      throw bad("unrecognized option '" + word + "'");
    }
    OptionSpec<K> first = candidates.get(0);
    for (OptionSpec<K> other : candidates) {
      // Two names of one option are no ambiguity.
      if (!other.key().equals(first.key()) || other.argument() != first.argument()) {
        throw ambiguous(word, candidates);
      }
    }
    return first;
  }

  private CommandException ambiguous(String word, List<OptionSpec<K>> candidates) {
    StringBuilder text = new StringBuilder("option '");
    text.append(word).append("' is ambiguous; possibilities:");
    for (OptionSpec<K> spec : candidates) {
      text.append(" '--").append(spec.name()).append('\'');
    }
    return bad(text.toString());
  }

  private CommandException bad(String text) {
    return new CommandException(
        1,
        List.of(
            StderrMessage.info(text),
            StderrMessage.plain("Try \"" + program + " --help\" for more information")));
  }
}

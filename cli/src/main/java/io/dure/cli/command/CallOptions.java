package io.dure.cli.command;

import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a call one by one. Those whose keys are HELP, USAGE and VERSION are answered here,
 * which ends the command. For one thread and one call.
 */
public final class CallOptions<K extends Enum<K>> {
  private final PrintStream out;
  private final Class<?> command;
  private final String texts;
  private final OptionParser<K> parser;

  /**
   * Options of a parser.
   *
   * @param command the class beside which help.txt and usage.txt lie
   * @param texts what the names of these files begin with
   */
  public CallOptions(PrintStream out, Class<?> command, String texts, OptionParser<K> parser) {
    this.out = out;
    this.command = command;
    this.texts = texts;
    this.parser = parser;
  }

  /**
   * The next option; null at the end.
   *
   * @throws CommandException for a word that is no option, and when a text was asked for
   */
  public @Nullable ParsedOption<K> next() throws CommandException {
    ParsedOption<K> option = parser.next();
    String text = option == null ? null : text(option.key().name());
    if (text != null) {
      out.print(text);
      throw CommandException.done();
    }
    return option;
  }

  /** All options that are left. */
  public List<ParsedOption<K>> all() throws CommandException {
    List<ParsedOption<K>> all = new ArrayList<>();
    for (ParsedOption<K> option = next(); option != null; option = next()) {
      all.add(option);
    }
    return all;
  }

  private @Nullable String text(String key) {
    return switch (key) {
      case "HELP" -> HelpText.of(command, texts + "help.txt");
      case "USAGE" -> usage();
      case "VERSION" -> DureVersion.LINE + "\n";
      default -> null;
    };
  }

  /** The short help, or the long one where there is one only. */
  public String usage() {
    boolean own = command.getResource(texts + "usage.txt") != null;
    return HelpText.of(command, texts + (own ? "usage.txt" : "help.txt"));
  }

  /** The words that are no options, in order. */
  public List<String> operands() {
    return parser.operands();
  }
}

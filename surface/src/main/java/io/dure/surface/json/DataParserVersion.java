package io.dure.surface.json;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;

/** The version of Slurm's data parser whose shape documents have. */
public final class DataParserVersion {

  /** Its name. */
  static final String PARSER = "data_parser/v0.0.45";

  private DataParserVersion() {}

  /** The refusal of {@code --yaml}. */
  public static CommandException noYaml() {
    return CommandException.error("YAML output is not built in, use --json, which YAML reads");
  }

  /**
   * Checks the argument of {@code --json}: nothing, a version since 0.0.40, or {@code list}.
   *
   * @throws CommandException if it asks for what is not built, or for the list of versions
   */
  public static void check(String version) throws CommandException {
    if (version.equals("list")) {
      throw new CommandException(
          0,
          List.of(
              StderrMessage.plain("Possible data_parser plugins:"), StderrMessage.plain(PARSER)));
    }
    int plus = version.indexOf('+');
    String bare = plus < 0 ? version : version.substring(0, plus);
    String plain = bare.startsWith("data_parser/") ? bare.substring(12) : bare;
    boolean known =
        plain.isEmpty()
            || plain.equals("latest")
            || (plain.length() == 7 && plain.startsWith("v0.0.4") && plain.charAt(6) <= '5');
    if (!known) {
      throw CommandException.error(
          "No data_parser plugin " + version + ", there is " + PARSER + " only");
    }
  }
}

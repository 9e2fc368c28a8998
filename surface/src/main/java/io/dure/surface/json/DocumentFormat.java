package io.dure.surface.json;

import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * How a document is written.
 *
 * @param parser the version of Slurm's data parser of which it has the members, from {@link
 *     DocumentSchemas#OLDEST} to {@link DocumentSchemas#NEWEST}: 45 for {@code data_parser/v0.0.45}
 * @param yaml whether it is YAML, and not JSON
 */
public record DocumentFormat(int parser, boolean yaml) {

  private static final String PREFIX = "data_parser/";
  private static final String NUMBER = "v0.0.";

  /**
   * That of {@code --json}.
   *
   * @param version its argument: nothing, {@code latest}, a version with or without {@code
   *     data_parser/} before and flags behind a plus sign, or {@code list}
   * @throws CommandException if there is no such version, or with the list of versions
   */
  public static DocumentFormat json(String version) throws CommandException {
    return new DocumentFormat(parser(version), false);
  }

  /** That of {@code --yaml}, which takes the same arguments. */
  public static DocumentFormat yaml(String version) throws CommandException {
    return new DocumentFormat(parser(version), true);
  }

  /** The version's name. */
  public String name() {
    return name(parser);
  }

  private static String name(int parser) {
    return PREFIX + NUMBER + parser;
  }

  private static int parser(String version) throws CommandException {
    if (version.equals("list")) {
      List<StderrMessage> lines = new ArrayList<>();
      lines.add(StderrMessage.plain("Possible data_parser plugins:"));
      names().forEach(name -> lines.add(StderrMessage.plain(name)));
      throw new CommandException(0, lines);
    }
    int plus = version.indexOf('+');
    String bare = plus < 0 ? version : version.substring(0, plus);
    String plain = bare.startsWith(PREFIX) ? bare.substring(PREFIX.length()) : bare;
    if (plain.isEmpty() || plain.equals("latest")) {
      return DocumentSchemas.NEWEST;
    }
    for (int parser = DocumentSchemas.OLDEST; parser <= DocumentSchemas.NEWEST; parser++) {
      if (plain.equals(NUMBER + parser)) {
        return parser;
      }
    }
    throw CommandException.error(
        "No data_parser plugin " + version + ", there are " + String.join(", ", names()));
  }

  /** The newest first. */
  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (int parser = DocumentSchemas.NEWEST; parser >= DocumentSchemas.OLDEST; parser--) {
      names.add(name(parser));
    }
    return names;
  }
}

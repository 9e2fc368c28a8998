package io.dure.cli.man;

import io.dure.protocol.DureVersion;
import java.util.List;
import java.util.Locale;

/** A manual page in the language of man(7). For one thread, used once. */
final class RoffPage {
  private final StringBuilder text = new StringBuilder();

  /** A page that has nothing but its name yet. */
  RoffPage(String name, int section, String summary) {
    String title = name.toUpperCase(Locale.ROOT);
    line(
        ".TH \""
            + escaped(title)
            + "\" \""
            + section
            + "\" \"\" \"Dure "
            + DureVersion.DURE
            + "\"");
    section("NAME");
    line(escaped(name) + " \\- " + escaped(summary));
  }

  RoffPage section(String heading) {
    return line(".SH \"" + escaped(heading) + "\"");
  }

  /** Lines as they are. */
  RoffPage lines(List<String> lines) {
    line(".nf");
    lines.forEach(this::words);
    return line(".fi");
  }

  /** The parts of a help text. */
  RoffPage parts(List<HelpParts.Part> parts) {
    for (HelpParts.Part part : parts) {
      switch (part) {
        case HelpParts.Part.Heading(String heading) -> line(".SS \"" + escaped(heading) + "\"");
        case HelpParts.Part.Paragraph(String paragraph) -> line(".PP").words(paragraph);
        case HelpParts.Part.Entry(String tag, String said) -> entry(tag, said);
      }
    }
    return this;
  }

  RoffPage entry(String tag, String said) {
    line(".TP").line("\\fB" + escaped(tag) + "\\fR");
    return said.isEmpty() ? line("\\&") : words(said);
  }

  RoffPage words(String words) {
    boolean request = words.startsWith(".") || words.startsWith("'");
    return line((request ? "\\&" : "") + escaped(words));
  }

  /** The page. */
  String text() {
    return text.toString();
  }

  private RoffPage line(String line) {
    text.append(line).append('\n');
    return this;
  }

  private static String escaped(String words) {
    return words.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
  }
}

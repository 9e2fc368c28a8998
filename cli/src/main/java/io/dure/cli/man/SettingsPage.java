package io.dure.cli.man;

import java.util.ArrayList;
import java.util.List;

/** The page of a file of settings, made of the reference of its keys. All functions are pure. */
final class SettingsPage {
  private static final int CELLS = 4;

  private SettingsPage() {}

  /** The page of {@code slurm.conf}. */
  static String of(String reference) {
    RoffPage page = new RoffPage("slurm.conf", 5, "configuration of a cluster");
    List<HelpParts.Part> parts = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    boolean begun = false;
    for (String line : reference.lines().toList()) {
      if (line.startsWith("## ")) {
        begun = true;
        end(paragraph, parts);
        parts.add(new HelpParts.Part.Heading(line.substring(3)));
      } else if (line.startsWith("|")) {
        end(paragraph, parts);
        if (begun) {
          row(line, parts);
        }
      } else if (line.isBlank()) {
        end(paragraph, parts);
      } else if (!line.startsWith("#") && !line.startsWith("Written by")) {
        paragraph.append(paragraph.isEmpty() ? "" : " ").append(plain(line));
      }
    }
    end(paragraph, parts);
    page.section("DESCRIPTION").parts(parts);
    return page.section("SEE ALSO").words("scontrol(1), sinfo(1), sbatch(1)").text();
  }

  private static void end(StringBuilder paragraph, List<HelpParts.Part> parts) {
    if (!paragraph.isEmpty()) {
      parts.add(new HelpParts.Part.Paragraph(paragraph.toString()));
      paragraph.setLength(0);
    }
  }

  /** A key with its kind and default, or a kind with how it is written. */
  private static void row(String line, List<HelpParts.Part> parts) {
    String[] cells =
        line.substring(1, line.length() - (line.endsWith("|") ? 1 : 0)).split("\\|", -1);
    String name = plain(cells[0].strip());
    if (name.equals("key")
        || name.equals("kind")
        || name.equals("lines")
        || name.startsWith("--")) {
      return;
    }
    StringBuilder said = new StringBuilder(plain(cells[1].strip()));
    if (cells.length >= CELLS) {
      String usual = plain(cells[2].strip());
      said.append(usual.isEmpty() ? "" : "; usually " + usual);
      String used = plain(cells[3].strip());
      said.append(
          switch (used) {
            case "yes" -> "";
            case "default" -> ". Only the default has an effect";
            case "no" -> ". No effect";
            default -> ". " + used;
          });
      said.append('.');
    }
    parts.add(new HelpParts.Part.Entry(name, said.toString()));
  }

  private static String plain(String markdown) {
    return markdown.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").replace("`", "");
  }
}

package io.dure.cli.man;

import io.dure.surface.option.OptionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The page of a command. All functions are pure. */
final class CommandPage {
  private static final Pattern BETWEEN = Pattern.compile("[ ,]+");

  private CommandPage() {}

  /**
   * The page of a command.
   *
   * @param help what it prints for {@code --help}
   * @param shared entries of {@code sbatch} that it takes, too
   */
  static String of(String name, String summary, String help, List<HelpParts.Part.Entry> shared) {
    HelpParts parts = HelpParts.of(help);
    RoffPage page = new RoffPage(name, 1, summary);
    page.section("SYNOPSIS").lines(parts.synopsis());
    List<HelpParts.Part> all = parts.parts();
    int first = 0;
    while (first < all.size() && all.get(first) instanceof HelpParts.Part.Paragraph) {
      first++;
    }
    if (first > 0) {
      page.section("DESCRIPTION").parts(all.subList(0, first));
    }
    page.section("OPTIONS").parts(all.subList(first, all.size()));
    if (!shared.isEmpty()) {
      page.section("OPTIONS AS OF SBATCH");
      shared.forEach(entry -> page.entry(entry.tag(), entry.text()));
    }
    page.section("SEE ALSO").words("slurm.conf(5)");
    return page.text();
  }

  /** The entries of a help text that are about options of a table, and are not in another text. */
  static List<HelpParts.Part.Entry> missing(
      List<? extends OptionKey> keys, String own, String other) {
    TreeSet<String> there = new TreeSet<>();
    entries(own).forEach(entry -> there.addAll(names(entry.tag())));
    TreeSet<String> wanted = new TreeSet<>();
    for (OptionKey key : keys) {
      List<String> names = names(key.form());
      if (names.stream().noneMatch(there::contains)) {
        wanted.addAll(names);
      }
    }
    return entries(other).stream()
        .filter(entry -> names(entry.tag()).stream().anyMatch(wanted::contains))
        .toList();
  }

  /** The options that a help text has entries for. */
  static List<HelpParts.Part.Entry> entries(String help) {
    List<HelpParts.Part.Entry> found = new ArrayList<>();
    for (HelpParts.Part part : HelpParts.of(help).parts()) {
      if (part instanceof HelpParts.Part.Entry entry && entry.tag().startsWith("-")) {
        found.add(entry);
      }
    }
    return found;
  }

  /** The names of options in {@code -a, --array=indexes} or {@code -a --array=}. */
  static List<String> names(String tag) {
    List<String> names = new ArrayList<>();
    for (String word : BETWEEN.split(tag, -1)) {
      if (word.startsWith("-")) {
        names.add(word.replaceAll("[=\\[].*", ""));
      }
    }
    return names;
  }
}

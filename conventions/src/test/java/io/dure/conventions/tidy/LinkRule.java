package io.dure.conventions.tidy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A relative link in a document leads to a file or folder of the repository, and its anchor to a
 * heading there.
 */
final class LinkRule implements Rule {
  private static final Pattern LINK =
      Pattern.compile(
          "\\]\\(\\s*<?([^\\s)>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)|^\\s*\\[[^\\]]+\\]:\\s*<?([^\\s>]+)");
  private static final Pattern ELSEWHERE = Pattern.compile("^([a-zA-Z][a-zA-Z0-9+.-]*:|//).*");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*?)\\s*#*\\s*$");
  private static final Pattern NAMED_ANCHOR = Pattern.compile("<a\\s+(?:id|name)=\"([^\"]+)\"");

  @Override
  public void inspect(Sources sources, Report report) {
    for (SourceFile file : sources.files(SourceFile::isMarkdown)) {
      report.counted("documents", 1);
      prose(file.text(), (number, line) -> inspectLine(sources, file, number, line, report));
    }
  }

  private static void inspectLine(
      Sources sources, SourceFile file, int number, String line, Report report) {
    Matcher matcher = LINK.matcher(line.replaceAll("`[^`]*`", "``"));
    while (matcher.find()) {
      String target = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      if (ELSEWHERE.matcher(target).matches()) {
        continue;
      }
      report.counted("relative links", 1);
      String wrong = problem(sources, file, URLDecoder.decode(target, StandardCharsets.UTF_8));
      if (!wrong.isEmpty()) {
        report.broken("links", file, number, target + ": " + wrong);
      }
    }
  }

  /** What is wrong with a link, or nothing. */
  private static String problem(Sources sources, SourceFile from, String target) {
    String[] parts = target.split("#", 2);
    String path =
        parts[0].isEmpty()
            ? from.path()
            : Path.of(from.folder()).resolve(parts[0]).normalize().toString();
    if (path.startsWith("/") || path.startsWith("..")) {
      return "leads out of the repository";
    }
    if (!sources.exists(path)) {
      return "there is no such file";
    }
    boolean anchored = parts.length == 2 && path.endsWith(".md");
    return anchored && !anchors(sources.textOf(path)).contains(parts[1])
        ? "there is no such heading"
        : "";
  }

  /**
   * The anchors that the usual renderers give a document's headings, and those that it names
   * itself.
   */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    prose(
        text,
        (_, line) -> {
          Matcher heading = HEADING.matcher(line);
          if (heading.matches()) {
            String slug = slug(heading.group(1));
            int before = seen.merge(slug, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? slug : slug + "-" + before);
          }
          NAMED_ANCHOR.matcher(line).results().forEach(named -> anchors.add(named.group(1)));
        });
    return anchors;
  }

  private static String slug(String heading) {
    return heading
        .replaceAll("!?\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
        .replace(' ', '-');
  }

  /** Every line outside fenced code, with its number. */
  private static void prose(String text, BiConsumer<Integer, String> line) {
    String fence = "";
    int number = 0;
    for (String next : text.split("\n", -1)) {
      number++;
      String start = next.stripLeading();
      String mark = start.startsWith("```") ? "```" : start.startsWith("~~~") ? "~~~" : "";
      if (!mark.isEmpty() && (fence.isEmpty() || fence.equals(mark))) {
        fence = fence.isEmpty() ? mark : "";
      } else if (fence.isEmpty()) {
        line.accept(number, next);
      }
    }
  }
}

package io.dure.conventions.tidy;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The files are as {@code .editorconfig} tells editors to write them; sizes of indents aside. */
final class EditorConfigRule implements Rule {
  private record Section(PathMatcher files, Map<String, String> settings) {}

  @Override
  public void inspect(Sources sources, Report report) {
    List<Section> sections = sections(sources.textOf(".editorconfig"));
    for (SourceFile file : sources.all()) {
      Map<String, String> settings = new TreeMap<>();
      for (Section section : sections) {
        if (section.files().matches(Path.of(file.path()))) {
          settings.putAll(section.settings());
        }
      }
      String text = file.text();
      if (has(settings, "charset", "utf-8") && text.indexOf('\uFFFD') >= 0) {
        broken(report, file, 0, "a character that is not UTF-8");
      }
      if (has(settings, "insert_final_newline", "true")
          && !text.isEmpty()
          && !text.endsWith("\n")) {
        broken(report, file, 0, "no end of line at its end");
      }
      if (has(settings, "end_of_line", "lf")) {
        lines(report, file, "a carriage return", line -> line.indexOf('\r') >= 0);
      }
      if (has(settings, "trim_trailing_whitespace", "true")) {
        lines(report, file, "blanks at the end", line -> line.matches(".*[ \t]"));
      }
      if (has(settings, "indent_style", "space")) {
        lines(report, file, "a tab in the indent", line -> line.matches(" *\t.*"));
      }
    }
  }

  private static boolean has(Map<String, String> settings, String key, String value) {
    return value.equals(settings.get(key));
  }

  private static void lines(Report report, SourceFile file, String what, Predicate<String> wrong) {
    int line = 0;
    for (String text : file.text().split("\n", -1)) {
      line++;
      if (wrong.test(text)) {
        broken(report, file, line, what);
      }
    }
  }

  private static void broken(Report report, SourceFile file, int line, String what) {
    report.broken("editor-config", file, line, what);
  }

  private static List<Section> sections(String text) {
    List<Section> sections = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.startsWith("[") && line.endsWith("]")) {
        String glob = line.substring(1, line.length() - 1);
        sections.add(new Section(matcher(glob), new TreeMap<>()));
      } else if (line.contains("=") && !line.startsWith("#") && !sections.isEmpty()) {
        int equals = line.indexOf('=');
        sections
            .getLast()
            .settings()
            .put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return sections;
  }

  /** A pattern without a slash is about the name, in any folder. */
  private static PathMatcher matcher(String glob) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
    return glob.contains("/") ? matcher : path -> matcher.matches(path.getFileName());
  }
}

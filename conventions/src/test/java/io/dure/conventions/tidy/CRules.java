package io.dure.conventions.tidy;

/**
 * The budgets of Java hold for C: files and functions. A function is taken to begin at a line whose
 * first character is not blank and that ends its signature with a brace, or at a brace alone at the
 * margin; it ends at the next brace at the margin.
 */
final class CRules implements Rule {
  @Override
  public void inspect(Sources sources, Report report) {
    for (SourceFile file : sources.files(SourceFile::isC)) {
      report.budget(Budget.C_FILE, file, file.path(), 0, file.lines());
      report.counted("C files", 1);
      functions(file, report);
    }
  }

  private static void functions(SourceFile file, Report report) {
    String[] lines = file.text().split("\n", -1);
    int signature = -1;
    int begin = -1;
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].stripTrailing();
      boolean atMargin = !line.isEmpty() && !Character.isWhitespace(line.charAt(0));
      if (atMargin && line.contains("(") && !line.endsWith(";") && begin < 0) {
        signature = i;
      }
      if (begin < 0 && signature >= 0 && line.endsWith("{")) {
        begin = signature;
      }
      if (line.startsWith("}")) {
        if (begin >= 0) {
          String name = name(lines[begin]);
          report.budget(
              Budget.C_FUNCTION, file, file.path() + "#" + name, begin + 1, i - begin + 1);
        }
        begin = -1;
        signature = -1;
      } else if (line.endsWith(";") && begin < 0) {
        signature = -1;
      }
    }
  }

  private static String name(String signature) {
    return signature
        .replaceAll("__attribute__\\s*\\(\\(.*?\\)\\)", "")
        .replaceAll("\\s*\\(.*", "")
        .replaceAll(".*[\\s*]", "");
  }
}

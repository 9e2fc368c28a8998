package io.dure.conventions.tidy;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words that no file may hold: marks of unfinished work in code, addresses of package registries
 * (the build tool knows where it gets its packages), and paths that exist on one machine only.
 */
final class TextRules implements Rule {
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");

  // Each is written so that it does not match itself.
  private static final Pattern REGISTRY =
      Pattern.compile(
          "\\b("
              + String.join(
                  "|",
                  List.of(
                      "repo1?\\.maven\\.(apache\\.)?org",
                      "(central|oss|s01\\.oss)\\.sonatype\\.(com|org)",
                      "plugins\\.gradle\\.org",
                      "jitpack\\.io",
                      "registry\\.(npmjs|yarnpkg)\\.(org|com)",
                      "pypi\\.(python\\.)?org",
                      "files\\.pythonhosted\\.org",
                      "(index\\.|static\\.)?crates\\.io",
                      "proxy\\.golang\\.org",
                      "rubygems\\.org",
                      "(deb|security)\\.debian\\.org",
                      "(archive|security)\\.ubuntu\\.com",
                      "(registry-1|registry)\\.docker\\.io"))
              + ")\\b");

  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.~)}*-])/(work|root)(?=/[\\w.])");

  @Override
  public void inspect(Sources sources, Report report) {
    for (SourceFile file : sources.all()) {
      if (!file.isMarkdown() && !file.isTestData()) {
        search(file, UNFINISHED, "unfinished", "finish it, or write an issue about it", report);
      }
      search(file, REGISTRY, "registry", "the address of a package registry", report);
      search(file, MACHINE_PATH, "machine-path", "a path that other machines do not have", report);
      report.counted("files", 1);
    }
  }

  private static void search(
      SourceFile file, Pattern pattern, String rule, String message, Report report) {
    int line = 0;
    for (String text : file.text().split("\n", -1)) {
      line++;
      Matcher matcher = pattern.matcher(text);
      if (matcher.find()) {
        report.broken(rule, file, line, matcher.group() + ": " + message);
      }
    }
  }
}

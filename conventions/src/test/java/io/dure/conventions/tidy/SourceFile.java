package io.dure.conventions.tidy;

import java.util.Set;

/**
 * One file of the repository: its path from the root with {@code /} between the names, and its text
 * (empty for a binary file).
 */
record SourceFile(String path, String text) {
  private static final Set<String> SHELL_ENDINGS = Set.of("sh", "bash");

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The folder, without a slash at its end; empty for a file at the root. */
  String folder() {
    return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
  }

  private String ending() {
    return name().substring(name().lastIndexOf('.') + 1);
  }

  boolean isJava() {
    return ending().equals("java") && !isTestData();
  }

  boolean isC() {
    return (ending().equals("c") || ending().equals("h")) && !isTestData();
  }

  boolean isMarkdown() {
    return ending().equals("md") && !isTestData();
  }

  boolean isShell() {
    boolean shebang =
        text.startsWith("#!")
            && text.lines().findFirst().orElse("").matches(".*\\b(ba|da)?sh\\b.*");
    return (shebang || SHELL_ENDINGS.contains(ending())) && !isTestData();
  }

  /** Whether it belongs to the tests: there a sleep is not allowed. */
  boolean isTest() {
    return path.contains("src/test/") || path.startsWith("e2e/");
  }

  /**
   * Whether it is held to what programs are held to: all but the tests, and of these the fault
   * tests, which are programs too.
   */
  boolean isProgram() {
    return !isTest() || path.startsWith("faults/");
  }

  /** Input of tests, which may be wrong on purpose. */
  boolean isTestData() {
    return path.contains("src/test/resources/");
  }

  int lines() {
    return (int) text.lines().count();
  }
}

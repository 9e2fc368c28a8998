package io.dure.conventions.tidy;

/** How large things may be. */
enum Budget {
  METHOD("method-lines", "method", "lines", 60),
  PARAMETERS("parameters", "number of parameters", "parameters", 6),
  FILE("file-lines", "file", "lines", 500),
  TEST_FILE("file-lines", "test file", "lines", 800),
  MAIN_FILE("main-lines", "main class", "lines", 150),
  C_FILE("file-lines", "C file", "lines", 500),
  C_FUNCTION("method-lines", "C function", "lines", 60),
  // "About 20": what is above this limit is two packages.
  PACKAGE("package-types", "package", "types", 24);

  private final String rule;
  private final String title;
  private final String unit;
  private final int most;

  Budget(String rule, String title, String unit, int most) {
    this.rule = rule;
    this.title = title;
    this.unit = unit;
    this.most = most;
  }

  String rule() {
    return rule;
  }

  String title() {
    return title;
  }

  String unit() {
    return unit;
  }

  int most() {
    return most;
  }
}

package io.dure.conventions.tidy;

import java.nio.file.Path;

/**
 * Every shell script can be parsed, and shellcheck has nothing to say about it where shellcheck is
 * installed.
 */
final class ShellRule implements Rule {
  private static final Path HERE = Path.of("").toAbsolutePath();

  private final boolean shellcheck = Ran.of(HERE, "", "shellcheck", "--version").exitCode() == 0;

  /** Whether this machine has shellcheck. */
  boolean hasShellcheck() {
    return shellcheck;
  }

  @Override
  public void inspect(Sources sources, Report report) {
    for (SourceFile file : sources.files(SourceFile::isShell)) {
      report.counted(shellcheck ? "shell scripts" : "shell scripts (without shellcheck)", 1);
      Ran parsed = Ran.of(HERE, file.text(), "bash", "-n", "/dev/stdin");
      if (parsed.exitCode() != 0) {
        report.broken("shell", file, 0, "bash -n: " + parsed.output().strip());
      } else if (shellcheck) {
        // What a script reads at run time is another file, which is checked by itself.
        Ran checked =
            Ran.of(HERE, file.text(), "shellcheck", "--exclude=SC1090,SC1091", "--format=gcc", "-");
        checked
            .output()
            .lines()
            .filter(line -> !line.isBlank())
            .forEach(line -> report.broken("shell", file, 0, "shellcheck: " + line));
      }
    }
  }
}

package io.dure.cli.exitmod;

import io.dure.surface.option.OptionKey;

/** The options of {@code sjobexitmod}. */
enum SjobexitmodOption implements OptionKey {
  CLUSTER("-c --cluster="),
  EXIT_CODE("-e --exitcode="),
  HELP("-h --help"),
  LIST("-l --list="),
  REASON("-r --reason="),
  VERSION("-V --version");

  private final String form;

  SjobexitmodOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

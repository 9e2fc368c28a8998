package io.dure.cli.sattach;

import io.dure.surface.option.OptionKey;

/** The options of the command that attaches to a step. */
enum SattachOption implements OptionKey {
  INPUT_FILTER("--input-filter="),
  OUTPUT_FILTER("--output-filter="),
  ERROR_FILTER("--error-filter="),
  LABEL("-l --label"),
  LAYOUT("--layout"),
  PTY("--pty"),
  QUIET("-Q --quiet"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("-h --help"),
  USAGE("-u --usage");

  private final String form;

  SattachOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

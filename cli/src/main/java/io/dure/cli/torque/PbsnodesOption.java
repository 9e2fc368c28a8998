package io.dure.cli.torque;

import io.dure.surface.option.OptionKey;

/** The options of {@code pbsnodes}. */
enum PbsnodesOption implements OptionKey {
  ALL("-a"),
  CLEAR("-c"),
  LIST("-l"),
  NOTES("-n"),
  NOTE("-N="),
  OFFLINE("-o"),
  QUIET("-q"),
  RESET("-r"),
  SERVER("-s="),
  HELP("--help"),
  VERSION("--version");

  private final String form;

  PbsnodesOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

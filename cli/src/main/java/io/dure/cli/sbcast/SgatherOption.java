package io.dure.cli.sbcast;

import io.dure.surface.option.OptionKey;

/** The options of sgather. */
enum SgatherOption implements OptionKey {
  COMPRESS("-C --compress[=]"),
  FORCE("-f --force"),
  FANOUT("-F --fanout="),
  KEEP("-k --keep"),
  PRESERVE("-p --preserve"),
  TIMEOUT("-t --timeout="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("--help"),
  USAGE("--usage");

  private final String form;

  SgatherOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

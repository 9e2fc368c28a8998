package io.dure.cli.sbcast;

import io.dure.surface.option.OptionKey;

/** The options of sbcast. */
enum SbcastOption implements OptionKey {
  COMPRESS("-C --compress[=]"),
  EXCLUDE("--exclude="),
  FORCE("-f --force"),
  FANOUT("-F --fanout="),
  JOBID("-j --jobid="),
  PRESERVE("-p --preserve"),
  SEND_LIBS("--send-libs[=]"),
  SIZE("-s --size="),
  TIMEOUT("-t --timeout="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  HELP("--help"),
  USAGE("--usage");

  private final String form;

  SbcastOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

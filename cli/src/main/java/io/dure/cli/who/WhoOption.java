package io.dure.cli.who;

import io.dure.surface.option.OptionKey;

/** The options of {@code dure-who}. */
enum WhoOption implements OptionKey {
  ACCOUNTS("-A --account --accounts="),
  ALL("-a --all"),
  GPUS("--gpus"),
  HELP("--help"),
  JSON("--json[=]"),
  PARTITION("-p --partition="),
  USAGE("--usage"),
  USERS("-u --user --users="),
  VERSION("-V --version");

  private final String form;

  WhoOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

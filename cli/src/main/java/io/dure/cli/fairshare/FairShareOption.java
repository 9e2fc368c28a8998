package io.dure.cli.fairshare;

import io.dure.surface.option.OptionKey;

/** The options of {@code dure-fairshare}. */
enum FairShareOption implements OptionKey {
  ACCOUNT("-A --account="),
  ALL("-a --all"),
  DAYS("-d --days="),
  HELP("--help"),
  JSON("--json[=]"),
  USAGE("--usage"),
  USER("-u --user="),
  VERSION("-V --version");

  private final String form;

  FairShareOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

package io.dure.cli.cost;

import io.dure.surface.option.OptionKey;

/** The options of {@code dure-cost}. */
enum CostOption implements OptionKey {
  ACCOUNT("-A --account --accounts="),
  APPLY("--apply"),
  BY("-b --by="),
  CSV("--csv"),
  HELP("--help"),
  JSON("--json[=]"),
  LIMITS("--limits"),
  MONTH("-m --month="),
  PRICES("-f --prices="),
  USAGE("--usage"),
  USER("-u --user --users="),
  VERSION("-V --version");

  private final String form;

  CostOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

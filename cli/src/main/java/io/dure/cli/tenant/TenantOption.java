package io.dure.cli.tenant;

import io.dure.surface.option.OptionKey;

/** The options of {@code dure-tenant}. */
enum TenantOption implements OptionKey {
  CSV("--csv"),
  HELP("--help"),
  JSON("--json[=]"),
  MONTH("-m --month="),
  PRICES("-f --prices="),
  USAGE("--usage"),
  VERSION("-V --version");

  private final String form;

  TenantOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

package io.dure.cli.fragmentation;

import io.dure.surface.option.OptionKey;

/** The options. */
enum FragmentationOption implements OptionKey {
  ALL("-a --all"),
  HELP("--help"),
  VERSION("-V --version");

  private final String form;

  FragmentationOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

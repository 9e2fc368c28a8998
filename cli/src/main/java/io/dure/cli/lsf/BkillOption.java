package io.dure.cli.lsf;

import io.dure.surface.option.OptionKey;

/** The options of {@code bkill}. */
enum BkillOption implements OptionKey {
  AT_ONCE("-b"),
  GROUP("-g="),
  HOST("-m="),
  LIST("-l"),
  NAME("-J="),
  QUEUE("-q="),
  REMOVE("-r"),
  SIGNAL("-s="),
  USER("-u="),
  HELP("-h --help"),
  VERSION("-V --version");

  private final String form;

  BkillOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

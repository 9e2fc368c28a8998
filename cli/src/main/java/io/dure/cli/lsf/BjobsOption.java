package io.dure.cli.lsf;

import io.dure.surface.option.OptionKey;

/** The options of {@code bjobs}. */
enum BjobsOption implements OptionKey {
  ALL("-a"),
  DONE("-d"),
  FORMAT("-o="),
  GROUP("-g="),
  HOST("-m="),
  LONG("-l"),
  NAME("-J="),
  NO_HEADER("--noheader"),
  PENDING("-p"),
  QUEUE("-q="),
  RUNNING("-r"),
  SUSPENDED("-s"),
  USER("-u="),
  WIDE("-w"),
  HELP("-h --help"),
  VERSION("-V --version");

  private final String form;

  BjobsOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

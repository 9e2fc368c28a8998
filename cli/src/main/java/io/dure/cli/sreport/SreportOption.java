package io.dure.cli.sreport;

import io.dure.surface.option.OptionKey;

/** The options of reports of use. */
enum SreportOption implements OptionKey {
  ALL_CLUSTERS("-a --all_clusters"),
  FEDERATION("--federation"),
  HELP("-h --help"),
  LOCAL("--local"),
  CLUSTER("-M --cluster="),
  NO_HEADER("-n --noheader"),
  PARSABLE("-p --parsable"),
  PARSABLE2("-P --parsable2"),
  QUIET("-Q --quiet"),
  TIME("-t --time="),
  TRES("-T --tres="),
  USAGE("--usage"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version");

  private final String form;

  SreportOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

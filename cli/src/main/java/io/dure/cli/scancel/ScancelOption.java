package io.dure.cli.scancel;

import io.dure.surface.option.OptionKey;

/** The options of cancelling, in the order in which ambiguous ones are listed. */
enum ScancelOption implements OptionKey {
  ACCOUNT("-A --account="),
  ADMIN_COMMENT("--admin-comment="),
  BATCH("-b --batch"),
  CLUSTERS("-M --clusters="),
  CRON("--cron"),
  CTLD("-c --ctld"),
  FULL("-f --full"),
  HELP("--help"),
  HURRY("-H --hurry"),
  INTERACTIVE("-i --interactive"),
  ME("--me"),
  NAME("-n --name="),
  NODELIST("-w --nodelist="),
  PARTITION("-p --partition="),
  QOS("-q --qos="),
  QUIET("-Q --quiet"),
  RESERVATION("-R --reservation="),
  SIBLING("--sibling="),
  SIGNAL("-s --signal="),
  STATE("-t --state="),
  USAGE("--usage"),
  USER("-u --user="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  WCKEY("--wckey=");

  private final String form;

  ScancelOption(String form) {
    this.form = form;
  }

  /** The variable that stands for the option, {@code SCANCEL_NAME} for {@code --name}. */
  String variable() {
    return this == CLUSTERS ? "SLURM_CLUSTERS" : "SCANCEL_" + name();
  }

  @Override
  public String form() {
    return form;
  }
}

package io.dure.cli.torque;

import io.dure.surface.option.OptionKey;

/** The options of {@code qstat}. */
enum QstatOption implements OptionKey {
  ALTERNATE("-a"),
  SERVER("-B"),
  FULL("-f"),
  GIGABYTES("-G"),
  WAITING("-i"),
  MEGAWORDS("-M"),
  NODES("-n"),
  ONE_LINE("-1"),
  LIMITS("-q"),
  QUEUES("-Q"),
  RUNNING("-r"),
  SIZES("-s"),
  TASKS("-t"),
  USERS("-u="),
  XML("-x"),
  HELP("--help"),
  VERSION("--version");

  private final String form;

  QstatOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

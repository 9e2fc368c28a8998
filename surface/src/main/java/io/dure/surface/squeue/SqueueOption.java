package io.dure.surface.squeue;

import io.dure.surface.option.OptionKey;

/** The options of the queue listing, in the order in which ambiguous ones are listed. */
public enum SqueueOption implements OptionKey {
  ACCOUNT("-A --accounts --account="),
  ALL("-a --all"),
  ARRAY("-r --array"),
  ARRAY_UNIQUE("--array-unique"),
  CLUSTERS("-M --clusters --cluster="),
  EXPAND_PATTERNS("--expand-patterns"),
  FEDERATION("--federation"),
  FORMAT("-o --format="),
  FORMAT_NAMES("-O --Format="),
  HELP("--help"),
  HIDE("--hide"),
  ITERATE("-i --iterate="),
  JOBS("-j --jobs --job[=]"),
  JSON("--json[=]"),
  LICENSES("-L --licenses --license="),
  LOCAL("--local"),
  LONG("-l --long"),
  ME("--me"),
  NAME("-n --name --names="),
  NOCONVERT("--noconvert"),
  NODELIST("-w --nodelist --nodes --node="),
  NOHEADER("-h --noheader"),
  NOTME("--notme"),
  ONLY_JOB_STATE("--only-job-state"),
  PARTITION("-p --partition --partitions="),
  PRIORITY("-P --priority"),
  QOS("-q --qos="),
  RESERVATION("-R --reservation="),
  RUNNING_OVER("--running-over="),
  RUNNING_UNDER("--running-under="),
  SIBLING("--sibling"),
  SORT("-S --sort="),
  START("--start"),
  STATES("-t --states --state="),
  STEPS("-s --steps --step[=]"),
  USAGE("--usage"),
  USER("-u --user --users="),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  YAML("--yaml[=]");

  private final String form;

  SqueueOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

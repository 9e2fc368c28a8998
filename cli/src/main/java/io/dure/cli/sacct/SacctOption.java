package io.dure.cli.sacct;

import io.dure.surface.option.OptionKey;

/** The options of the listing of recorded jobs. */
enum SacctOption implements OptionKey {
  ALL_USERS("-a --allusers"),
  ACCOUNTS("-A --accounts="),
  ARRAY("--array"),
  ASSOCIATIONS("-x --associations="),
  BRIEF("-b --brief"),
  BATCH_SCRIPT("-B --batch-script"),
  COMPLETION("-c --completion"),
  CONSTRAINTS("-C --constraints="),
  DELIMITER("--delimiter="),
  DUPLICATES("-D --duplicates"),
  HELP_FORMAT("-e --helpformat"),
  END_TIME("-E --endtime="),
  ENV_VARS("--env-vars"),
  EXPAND_PATTERNS("--expand-patterns"),
  FEDERATION("--federation"),
  FILE("-f --file="),
  FLAGS("-F --flags="),
  GROUP("-g --gid --group="),
  NODE_COUNT("-i --nnodes="),
  CPU_COUNT("-I --ncpus="),
  JOBS("-j --jobs="),
  JSON("--json[=]"),
  TIME_LIMIT_MIN("-k --timelimit-min="),
  TIME_LIMIT_MAX("-K --timelimit-max="),
  LOCAL("--local"),
  LONG("-l --long"),
  ALL_CLUSTERS("-L --allclusters"),
  CLUSTERS("-M --clusters="),
  NO_HEADER("-n --noheader"),
  NO_CONVERT("--noconvert"),
  NODES("-N --nodelist="),
  NAME("--name="),
  FORMAT("-o --format="),
  PARSABLE("-p --parsable"),
  PARSABLE2("-P --parsable2"),
  QOS("-q --qos="),
  PARTITION("-r --partition="),
  REASON("-R --reason="),
  STATE("-s --state="),
  START_TIME("-S --starttime="),
  TRUNCATE("-T --truncate"),
  USER("-u --uid --user="),
  USE_LOCAL_UID("--use-local-uid"),
  WHOLE_HET_JOB("--whole-hetjob[=]"),
  UNITS("--units="),
  VERBOSE("-v --verbose"),
  WCKEYS("-W --wckeys="),
  ALLOCATIONS("-X --allocations"),
  YAML("--yaml[=]"),
  VERSION("-V --version"),
  HELP("-h --help"),
  USAGE("--usage");

  private final String form;

  SacctOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

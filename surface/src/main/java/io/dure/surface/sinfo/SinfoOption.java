package io.dure.surface.sinfo;

import io.dure.surface.option.OptionKey;

/** The options of the node listing, in the order in which ambiguous ones are listed. */
public enum SinfoOption implements OptionKey {
  ALL("-a --all"),
  CLUSTERS("-M --clusters --cluster="),
  DEAD("-d --dead"),
  EXACT("-e --exact"),
  FEDERATION("--federation"),
  FORMAT("-o --format="),
  FORMAT_NAMES("-O --Format="),
  FUTURE("-F --future"),
  HELP("--help"),
  HIDE("--hide"),
  ITERATE("-i --iterate="),
  JSON("--json[=]"),
  LIST_REASONS("-R --list-reasons"),
  LOCAL("--local"),
  LONG("-l --long"),
  NOCONVERT("--noconvert"),
  NODE("-N --Node"),
  NODES("-n --nodes="),
  NOHEADER("-h --noheader"),
  PARTITION("-p --partition="),
  RESERVATION("-T --reservation"),
  RESPONDING("-r --responding"),
  SORT("-S --sort="),
  STATES("-t --states="),
  SUMMARIZE("-s --summarize"),
  USAGE("--usage"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  YAML("--yaml[=]");

  private final String form;

  SinfoOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

package io.dure.surface.pbs;

import io.dure.surface.option.OptionKey;

/** The options of {@code qsub}, on its command line and in a script's {@code #PBS} lines. */
public enum QsubOption implements OptionKey {
  ACCOUNT("-A="),
  BEGIN("-a="),
  CHECKPOINT("-c="),
  DIRECTIVE_PREFIX("-C="),
  DIRECTORY("-d="),
  ROOT_DIRECTORY("-D="),
  ERROR("-e="),
  FAULT_TOLERANT("-f"),
  ARGUMENTS("-F="),
  HOLD("-h"),
  INTERACTIVE("-I"),
  JOIN("-j="),
  ARRAY("-J="),
  KEEP("-k="),
  RESOURCES("-l="),
  MAIL_EVENTS("-m="),
  MAIL_USERS("-M="),
  NAME("-N="),
  OUTPUT("-o="),
  PRIORITY("-p="),
  PROJECT("-P="),
  QUEUE("-q="),
  RERUNNABLE("-r="),
  SHELL("-S="),
  TASKS("-t="),
  USERS("-u="),
  VARIABLES("-v="),
  ALL_VARIABLES("-V"),
  WORK_DIRECTORY("-w="),
  ATTRIBUTES("-W="),
  DISPLAY("-X"),
  SILENT("-z"),
  HELP("--help"),
  VERSION("--version");

  private final String form;

  QsubOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }
}

package io.dure.cli.why;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options. */
enum WhyOption {
  FACTS,
  HELP,
  VERSION;

  static List<OptionSpec<WhyOption>> specs() {
    return List.of(
        new OptionSpec<>(FACTS, "facts", 'f', Argument.NONE),
        new OptionSpec<>(HELP, "help", OptionSpec.NO_LETTER, Argument.NONE),
        new OptionSpec<>(VERSION, "version", 'V', Argument.NONE));
  }
}

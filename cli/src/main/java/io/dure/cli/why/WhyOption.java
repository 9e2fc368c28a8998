package io.dure.cli.why;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options. */
enum WhyOption {
  FACTS,
  HELP,
  VERSION;

  static List<OptionSpec<WhyOption>> specs() {
    return List.of(
        new OptionSpec<>(FACTS, "facts", 'f', OptionArgument.NONE),
        new OptionSpec<>(HELP, "help", OptionSpec.NO_LETTER, OptionArgument.NONE),
        new OptionSpec<>(VERSION, "version", 'V', OptionArgument.NONE));
  }
}

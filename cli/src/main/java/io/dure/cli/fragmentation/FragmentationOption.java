package io.dure.cli.fragmentation;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options. */
enum FragmentationOption {
  ALL,
  HELP,
  VERSION;

  static List<OptionSpec<FragmentationOption>> specs() {
    return List.of(
        new OptionSpec<>(ALL, "all", 'a', OptionArgument.NONE),
        new OptionSpec<>(HELP, "help", OptionSpec.NO_LETTER, OptionArgument.NONE),
        new OptionSpec<>(VERSION, "version", 'V', OptionArgument.NONE));
  }
}

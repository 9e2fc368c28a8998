package io.dure.cli.fragmentation;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options. */
enum FragmentationOption {
  ALL,
  HELP,
  VERSION;

  static List<OptionSpec<FragmentationOption>> specs() {
    return List.of(
        new OptionSpec<>(ALL, "all", 'a', Argument.NONE),
        new OptionSpec<>(HELP, "help", OptionSpec.NO_LETTER, Argument.NONE),
        new OptionSpec<>(VERSION, "version", 'V', Argument.NONE));
  }
}

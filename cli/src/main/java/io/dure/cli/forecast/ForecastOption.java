package io.dure.cli.forecast;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.List;

/** The options. */
enum ForecastOption {
  ACCURACY("accuracy", OptionSpec.NO_LETTER, OptionArgument.NONE),
  ALL("all", 'a', OptionArgument.NONE),
  HELP("help", OptionSpec.NO_LETTER, OptionArgument.NONE),
  JSON("json", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL),
  ME("me", OptionSpec.NO_LETTER, OptionArgument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE),
  USER("user", 'u', OptionArgument.REQUIRED),
  VERSION("version", 'V', OptionArgument.NONE);

  private final String name;
  private final char letter;
  private final OptionArgument argument;

  ForecastOption(String name, char letter, OptionArgument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<ForecastOption>> specs() {
    return OptionSpec.table(values(), o -> OptionSpec.named(o, o.name, o.letter, o.argument));
  }
}

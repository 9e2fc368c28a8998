package io.dure.cli.forecast;

import io.dure.surface.option.Argument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options. */
enum ForecastOption {
  ACCURACY("accuracy", OptionSpec.NO_LETTER, Argument.NONE),
  ALL("all", 'a', Argument.NONE),
  HELP("help", OptionSpec.NO_LETTER, Argument.NONE),
  JSON("json", OptionSpec.NO_LETTER, Argument.OPTIONAL),
  ME("me", OptionSpec.NO_LETTER, Argument.NONE),
  USAGE("usage", OptionSpec.NO_LETTER, Argument.NONE),
  USER("user", 'u', Argument.REQUIRED),
  VERSION("version", 'V', Argument.NONE);

  private final String name;
  private final char letter;
  private final Argument argument;

  ForecastOption(String name, char letter, Argument argument) {
    this.name = name;
    this.letter = letter;
    this.argument = argument;
  }

  static List<OptionSpec<ForecastOption>> specs() {
    List<OptionSpec<ForecastOption>> specs = new ArrayList<>();
    for (ForecastOption option : values()) {
      specs.add(new OptionSpec<>(option, option.name, option.letter, option.argument));
    }
    return specs;
  }
}

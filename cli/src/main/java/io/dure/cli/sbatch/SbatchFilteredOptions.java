package io.dure.cli.sbatch;

import io.dure.cli.filter.FilteredOptions;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import org.jspecify.annotations.Nullable;

/** The options of {@code sbatch} for a script of the site. */
record SbatchFilteredOptions(SbatchSettings settings, SbatchSettings.Source source)
    implements FilteredOptions<SbatchOption> {

  @Override
  public SbatchOption[] all() {
    return SbatchOption.values();
  }

  @Override
  public String name(SbatchOption option) {
    return option.longName();
  }

  @Override
  public boolean isFlag(SbatchOption option) {
    return !option.form().endsWith("=") && !option.form().endsWith("[=]");
  }

  @Override
  public boolean has(SbatchOption option) {
    return settings.has(option);
  }

  @Override
  public @Nullable String value(SbatchOption option) {
    return settings.value(option);
  }

  @Override
  public void set(SbatchOption option, @Nullable String value) throws CommandException {
    settings.set(option, "--" + option.longName(), value, source);
  }

  @Override
  public void unset(SbatchOption option) {
    settings.unset(option);
  }
}

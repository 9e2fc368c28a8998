package io.dure.cli.srun;

import io.dure.cli.filter.FilteredOptions;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import org.jspecify.annotations.Nullable;

/** The options of {@code srun} for a script of the site. */
record SrunFilteredOptions(SrunSettings settings, SbatchSettings.Source source)
    implements FilteredOptions<SrunOption> {

  @Override
  public SrunOption[] all() {
    return SrunOption.values();
  }

  @Override
  public String name(SrunOption option) {
    String name = option.longName();
    return name.startsWith("--") ? name.substring(2) : name;
  }

  @Override
  public boolean isFlag(SrunOption option) {
    return !option.form().endsWith("=") && !option.form().endsWith("[=]");
  }

  @Override
  public boolean has(SrunOption option) {
    return settings.has(option);
  }

  @Override
  public @Nullable String value(SrunOption option) {
    String value = settings.value(option);
    return value == null || value.isEmpty() ? null : value;
  }

  @Override
  public void set(SrunOption option, @Nullable String value) throws CommandException {
    settings.set(option, option.longName(), value, source);
  }

  @Override
  public void unset(SrunOption option) {
    settings.unset(option);
  }
}

package io.dure.cli.salloc;

import io.dure.cli.filter.FilteredOptions;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.SallocOption;
import io.dure.surface.srun.SallocSettings;
import org.jspecify.annotations.Nullable;

/** The options of {@code salloc} for a script of the site. */
record SallocFilteredOptions(SallocSettings settings, SbatchSettings.Source source)
    implements FilteredOptions<SallocOption> {

  @Override
  public SallocOption[] all() {
    return SallocOption.values();
  }

  @Override
  public String name(SallocOption option) {
    String name = option.longName();
    return name.startsWith("--") ? name.substring(2) : name;
  }

  @Override
  public boolean isFlag(SallocOption option) {
    return !option.form().endsWith("=") && !option.form().endsWith("[=]");
  }

  @Override
  public boolean has(SallocOption option) {
    return settings.has(option);
  }

  @Override
  public @Nullable String value(SallocOption option) {
    String value = settings.value(option);
    return value == null || value.isEmpty() ? null : value;
  }

  @Override
  public void set(SallocOption option, @Nullable String value) throws CommandException {
    settings.set(option, option.longName(), value, source);
  }

  @Override
  public void unset(SallocOption option) {
    settings.unset(option);
  }
}

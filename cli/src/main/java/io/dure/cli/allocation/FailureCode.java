package io.dure.cli.allocation;

import io.dure.surface.message.CommandException;
import io.dure.surface.value.NumberParser;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The exit codes of failures that the caller's variables choose. */
public final class FailureCode {
  private FailureCode() {}

  /** That of any failure, from {@code SLURM_EXIT_ERROR}; a failure that has its own keeps it. */
  public static CommandException ofError(Map<String, String> environment, CommandException e) {
    return e.exitCode() == 1 && !e.isCodeChosen()
        ? from(environment.get("SLURM_EXIT_ERROR"), e)
        : e;
  }

  /** That of {@code --immediate} that is not met, from {@code SLURM_EXIT_IMMEDIATE}. */
  public static CommandException ofImmediate(Map<String, String> environment, CommandException e) {
    return from(environment.getOrDefault("SLURM_EXIT_IMMEDIATE", "1"), e);
  }

  private static CommandException from(@Nullable String code, CommandException e) {
    return code == null ? e : e.withExitCode((int) (NumberParser.leading(code) & 0xff));
  }
}

package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options in force: what was set last wins, so sources are added in the order of their rank.
 * For one thread and one submission.
 */
public final class SbatchSettings {

  /** Where options come from, in rising rank. */
  public enum Source {
    /** A script of the site that sets defaults. */
    SITE,
    /** {@code #SBATCH} lines. */
    SCRIPT,
    /** {@code SBATCH_*} variables. */
    ENVIRONMENT,
    /** The command line. */
    COMMAND_LINE
  }

  /** Refuses what an option cannot take. */
  public interface Check {
    /**
     * Looks at one option and its argument.
     *
     * @param name how the user wrote it: an option or an environment variable
     * @throws CommandException if the argument is wrong or the option is not built yet
     */
    void check(SbatchOption option, String name, @Nullable String value) throws CommandException;
  }

  private record Setting(@Nullable String value, Source source) {}

  private record Exclusion(List<SbatchOption> options, String text) {}

  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          new Exclusion(
              List.of(SbatchOption.MEM, SbatchOption.MEM_PER_CPU, SbatchOption.MEM_PER_GPU),
              "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."),
          new Exclusion(
              List.of(SbatchOption.HINT, SbatchOption.THREADS_PER_CORE),
              "--hint and --threads-per-core options are mutually exclusive."),
          new Exclusion(
              List.of(SbatchOption.HINT, SbatchOption.NTASKS_PER_CORE),
              "--hint and --ntasks-per-core options are mutually exclusive."),
          new Exclusion(
              List.of(SbatchOption.HINT, SbatchOption.EXTRA_NODE_INFO),
              "--hint and -B options are mutually exclusive."),
          new Exclusion(
              List.of(SbatchOption.CPUS_PER_GPU, SbatchOption.CPUS_PER_TASK),
              "--cpus-per-gpu is mutually exclusive with --cpus-per-task."),
          new Exclusion(
              List.of(SbatchOption.NTASKS_PER_GPU, SbatchOption.GPUS_PER_TASK),
              "--ntasks-per-gpu is mutually exclusive with --gpus-per-task."),
          new Exclusion(
              List.of(SbatchOption.NTASKS_PER_GPU, SbatchOption.GPUS_PER_SOCKET),
              "--ntasks-per-gpu is mutually exclusive with --gpus-per-socket."),
          new Exclusion(
              List.of(SbatchOption.NTASKS_PER_GPU, SbatchOption.NTASKS_PER_NODE),
              "--ntasks-per-gpu is mutually exclusive with --ntasks-per-node."),
          new Exclusion(
              List.of(SbatchOption.NTASKS_PER_GPU, SbatchOption.TRES_PER_TASK),
              "--ntasks-per-gpu is mutually exclusive with --tres-per-task."),
          new Exclusion(
              List.of(SbatchOption.GPUS_PER_TASK, SbatchOption.TRES_PER_TASK),
              "--gpus-per-task is mutually exclusive with --tres-per-task."),
          new Exclusion(
              List.of(SbatchOption.OVERCOMMIT, SbatchOption.TRES_PER_TASK),
              "--overcommit is mutually exclusive with --tres-per-task."),
          new Exclusion(
              List.of(SbatchOption.EXCLUSIVE, SbatchOption.OVERSUBSCRIBE),
              "--exclusive and --oversubscribe options are mutually exclusive."),
          new Exclusion(
              List.of(SbatchOption.CORE_SPEC, SbatchOption.THREAD_SPEC),
              "-S/--core-spec and --thread-spec options are mutually exclusive"));

  private final Check check;
  private final Map<SbatchOption, Setting> settings = new EnumMap<>(SbatchOption.class);
  private @Nullable Duration switchWait;
  private int verbosity;

  /** No settings yet. */
  public SbatchSettings(Check check) {
    this.check = check;
  }

  /**
   * Sets an option.
   *
   * @param name how the user wrote it, for messages
   * @throws CommandException if its argument is wrong, or it excludes one of the same source
   */
  public void set(SbatchOption option, String name, @Nullable String value, Source source)
      throws CommandException {
    check.check(option, name, value);
    if (option == SbatchOption.VERBOSE) {
      verbosity++;
    } else if (option == SbatchOption.REQUEUE) {
      settings.remove(SbatchOption.NO_REQUEUE);
    } else if (option == SbatchOption.NO_REQUEUE) {
      settings.remove(SbatchOption.REQUEUE);
    }
    for (Exclusion exclusion : EXCLUSIONS) {
      if (exclusion.options().contains(option)) {
        exclude(option, source, exclusion);
      }
    }
    settings.put(option, new Setting(value, source));
  }

  /**
   * How long to wait for switches where {@code --switches} does not say it.
   *
   * @param text a time; what is none says nothing, as in Slurm
   */
  public void waitForSwitches(@Nullable String text) {
    switchWait = text == null ? null : TimeLimitParser.parseDuration(text);
  }

  /** That time, null where nothing says it. */
  @Nullable Duration switchWait() {
    return switchWait;
  }

  /** Whether an option stands on the command line. */
  public boolean isOnCommandLine(SbatchOption option) {
    Setting setting = settings.get(option);
    return setting != null && setting.source() == Source.COMMAND_LINE;
  }

  /** Options of a higher source replace those they exclude; within one source they clash. */
  private void exclude(SbatchOption option, Source source, Exclusion exclusion)
      throws CommandException {
    for (SbatchOption other : exclusion.options()) {
      Setting present = settings.get(other);
      if (other == option || present == null) {
        continue;
      }
      if (present.source() == source) {
        throw CommandException.fatal(exclusion.text());
      }
      settings.remove(other);
    }
  }

  /**
   * The next component of a heterogeneous job begins: what it asks for is its own, what concerns
   * the whole job stays.
   */
  public void startComponent() {
    settings.keySet().removeIf(SbatchOption::isOfComponent);
  }

  /** Forgets an option. */
  public void unset(SbatchOption option) {
    settings.remove(option);
  }

  public boolean has(SbatchOption option) {
    return settings.containsKey(option);
  }

  /** The argument, or null if the option is not set or stands without one. */
  public @Nullable String value(SbatchOption option) {
    Setting setting = settings.get(option);
    return setting == null ? null : setting.value();
  }

  /** The argument, or another text if there is none. */
  public String valueOr(SbatchOption option, String other) {
    String value = value(option);
    return value == null ? other : value;
  }

  /** How often {@code -v} was given. */
  public int verbosity() {
    return verbosity;
  }

  /** The long names of the options that are set, sorted. */
  List<String> names() {
    List<String> names = new ArrayList<>(settings.size());
    for (SbatchOption option : settings.keySet()) {
      names.add(option.longName());
    }
    Collections.sort(names);
    return names;
  }
}

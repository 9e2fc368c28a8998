package io.dure.surface.sbatch;

import io.dure.model.request.KeptOptions;
import io.dure.model.request.SamplingInterval;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Options that steps or plugins follow, which a cluster without them only reads: their form is
 * checked as Slurm does, and what is shown of them is kept.
 */
public final class StepOptions {
  private static final List<String> SAMPLED = List.of("task", "energy", "network", "filesystem");
  private static final List<String> PROFILES =
      List.of("none", "all", "energy", "task", "lustre", "filesystem", "network");
  private static final List<String> CLOCKS = List.of("low", "medium", "high", "highm1");

  private StepOptions() {}

  /** Refuses what such an option cannot take; other options pass. */
  static void check(SbatchOption option, String text) throws CommandException {
    switch (option) {
      case ACCTG_FREQ -> {
        for (String part : KeywordParser.list(text)) {
          int equals = part.indexOf('=');
          boolean known = equals < 0 || SAMPLED.contains(lower(part.substring(0, equals)));
          Integer number = SamplingInterval.number(part.substring(equals + 1));
          // Slurm takes -1 for no number, and refuses others later.
          if (!known || number == null || number == -1) {
            throw CommandException.error("Invalid --acctg-freq specification: " + part);
          }
        }
      }
      case PROFILE -> {
        List<String> words = KeywordParser.list(lower(text));
        if (words.isEmpty() || !PROFILES.containsAll(words)) {
          throw CommandException.error("invalid --profile=" + text + " option");
        }
      }
      case GPU_FREQ -> {
        if (!isGpuFrequency(lower(text))) {
          throw CommandException.error("Invalid --gpu-freq argument: gpu:" + text);
        }
      }
      case TRES_BIND -> checkTresBind(text);
      default -> {}
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** {@code VALUE[,memory=VALUE][,verbose]}. */
  private static boolean isGpuFrequency(String text) {
    List<String> parts = KeywordParser.list(text);
    for (String part : parts) {
      String value = part.startsWith("memory=") ? part.substring(7) : part;
      boolean frequency = CLOCKS.contains(value) || DigitParser.only(value);
      if (!frequency && !part.equals("verbose")) {
        return false;
      }
    }
    return !parts.isEmpty();
  }

  /** {@code gres/NAME:[verbose,]TYPE}, several with plus signs between them. */
  private static void checkTresBind(String text) throws CommandException {
    for (String part : text.split("\\+", -1)) {
      int colon = part.indexOf(':');
      if (!lower(part).startsWith("gres/") || colon <= "gres/".length()) {
        throw invalidTresBind(text);
      }
      checkBind(part.substring(colon + 1), invalidTresBind(text));
    }
  }

  private static CommandException invalidTresBind(String text) {
    return CommandException.error("Invalid --tres-bind argument: " + text);
  }

  /** Refuses what {@code --gpu-bind} cannot take. */
  static void checkGpuBind(String text) throws CommandException {
    checkBind(text, CommandException.error("Invalid --gpu-bind argument: gres/gpu:" + text));
  }

  private static void checkBind(String text, CommandException failure) throws CommandException {
    String type = lower(text);
    type = type.startsWith("verbose,") ? type.substring("verbose,".length()) : type;
    if (type.startsWith("closest") || type.startsWith("none")) {
      return;
    }
    int colon = type.indexOf(':');
    String list = type.substring(colon + 1);
    switch (colon < 0 ? "" : type.substring(0, colon)) {
      case "single", "per_task" -> {}
      case "map", "map_gpu" -> checkNumbers(list, "0123456789", failure);
      case "mask", "mask_gpu" -> checkNumbers(list, "0123456789abcdef", failure);
      default -> throw failure;
    }
    if (list.isEmpty()) {
      throw failure;
    }
  }

  /** Numbers with commas between them, each with {@code *TIMES} behind it or not. */
  private static void checkNumbers(String list, String digits, CommandException failure)
      throws CommandException {
    for (String one : list.split(",", -1)) {
      int times = one.indexOf('*');
      String number = times < 0 ? one : one.substring(0, times);
      String bare = digits.length() > 10 && number.startsWith("0x") ? number.substring(2) : number;
      for (int i = 0; i < bare.length(); i++) {
        if (digits.indexOf(bare.charAt(i)) < 0) {
          CommandException first =
              CommandException.error(
                  "Failed to validate " + number + ", offending character is " + bare.charAt(i));
          throw first.and(failure.messages().getFirst());
        }
      }
    }
  }

  /** Whether the job or step is to go on when it loses a node. */
  public static boolean survivesNodes(SbatchSettings settings) {
    return settings.has(SbatchOption.NO_KILL)
        && !isOff(settings.valueOr(SbatchOption.NO_KILL, "set"));
  }

  /** Whether the argument of {@code --no-kill} takes it back. */
  static boolean isOff(String text) {
    return text.equalsIgnoreCase("off") || text.equalsIgnoreCase("no");
  }

  /** What is kept of them with the job, null if nothing. */
  static @Nullable KeptOptions kept(SbatchSettings settings) {
    String delay = settings.value(SbatchOption.DELAY_BOOT);
    TimeLimit boot = delay == null ? null : TimeLimitParser.parse(delay);
    Duration wait = boot instanceof TimeLimit.Limited limited ? limited.duration() : null;
    KeptOptions kept =
        new KeptOptions(
            settings.value(SbatchOption.TRES_BIND),
            settings.value(SbatchOption.GPU_FREQ),
            settings.value(SbatchOption.PROFILE),
            settings.value(SbatchOption.NETWORK),
            settings.value(SbatchOption.BB),
            settings.value(SbatchOption.CLUSTER_CONSTRAINT),
            settings.value(SbatchOption.MCS_LABEL),
            settings.value(SbatchOption.EXTRA),
            wait,
            settings.value(SbatchOption.CONTAINER),
            settings.value(SbatchOption.CONTAINER_ID),
            settings.value(SbatchOption.CONTAINER_TYPE),
            settings.value(SbatchOption.ACCTG_FREQ));
    return kept.equals(KeptOptions.NONE) ? null : kept;
  }
}

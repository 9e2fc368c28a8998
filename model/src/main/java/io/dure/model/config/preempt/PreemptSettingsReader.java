package io.dure.model.config.preempt;

import io.dure.model.config.parameters.BoundedNumber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads PreemptType, PreemptMode, PreemptParameters and SchedulerTimeSlice. Used once. */
public final class PreemptSettingsReader {
  private static final int MOST_REORDERS = 1000;
  private static final String GANG = "GANG";

  private final List<Problem> problems = new ArrayList<>();
  private int reorderCount = 1;
  private boolean strictOrder;
  private boolean youngestFirst;
  private @Nullable Long minExemptPriority;
  private boolean sendUserSignal;

  /**
   * Something that the file says wrongly, or in vain.
   *
   * @param remedy what would be right; null for what is only not acted on
   */
  public record Problem(String key, String message, @Nullable String remedy) {}

  /** What was wrong. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /**
   * The settings.
   *
   * @param exemptTime null for none
   * @param timeSlice how long a turn takes where jobs take turns
   */
  public PreemptSettings read(
      String type,
      List<String> modes,
      List<String> parameters,
      @Nullable Duration exemptTime,
      Duration timeSlice) {
    PreemptSettings.Type which = type(type.toLowerCase(Locale.ROOT));
    List<String> words = modes.stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
    PreemptMode mode = mode(words);
    Duration slice = words.contains(GANG) ? timeSlice : null;
    boolean none = which == null || which == PreemptSettings.Type.NONE;
    if (which != null && none != (mode == PreemptMode.OFF)) {
      problem(
          "PreemptMode",
          "PreemptType and PreemptMode values incompatible",
          none ? "Write PreemptMode=OFF, or a PreemptType" : "Write CANCEL, REQUEUE or SUSPEND");
    }
    parameters.forEach(this::parameter);
    if (which == null || none) {
      return PreemptSettings.NONE.withTimeSlice(slice);
    }
    return new PreemptSettings(
        which,
        mode,
        words.contains("WITHIN"),
        exemptTime == null ? Duration.ZERO : exemptTime,
        reorderCount,
        strictOrder,
        youngestFirst,
        minExemptPriority,
        sendUserSignal,
        slice);
  }

  private void problem(String key, String message, @Nullable String remedy) {
    problems.add(new Problem(key, message, remedy));
  }

  /** Null for a type that there is not. */
  private PreemptSettings.@Nullable Type type(String text) {
    return switch (text.substring(text.indexOf('/') + 1)) {
      case "", "none", "(null)" -> PreemptSettings.Type.NONE;
      case "partition_prio" -> PreemptSettings.Type.PARTITION_PRIO;
      case "qos" -> PreemptSettings.Type.QOS;
      default -> {
        problem(
            "PreemptType",
            "Slurm has no " + text,
            "Write preempt/none, preempt/partition_prio or preempt/qos");
        yield null;
      }
    };
  }

  private PreemptMode mode(List<String> words) {
    PreemptMode mode = PreemptMode.OFF;
    int modes = 0;
    for (String word : words) {
      PreemptMode one = PreemptMode.find(word);
      if (one != null) {
        mode = one;
        modes++;
      } else if (!word.equals(GANG) && !word.equals("WITHIN")) {
        problem("PreemptMode", "Invalid PreemptMode: " + word, "Write one of those that there are");
      }
    }
    if (modes > 1) {
      problem("PreemptMode", "more than one mode", "Write one of them, with GANG or WITHIN");
    } else if (mode == PreemptMode.SUSPEND && !words.contains(GANG)) {
      problem("PreemptMode", "PreemptMode=SUSPEND requires GANG too", "Write SUSPEND,GANG");
    }
    return mode;
  }

  private void parameter(String text) {
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).toLowerCase(Locale.ROOT);
    String value = equals < 0 ? "" : text.substring(equals + 1);
    switch (name) {
      case "reorder_count" -> reorderCount = (int) number(name, value, MOST_REORDERS);
      case "strict_order" -> strictOrder = true;
      case "youngest_first" -> youngestFirst = true;
      case "min_exempt_priority" -> minExemptPriority = number(name, value, 0xFFFF_FFFFL);
      case "send_user_signal" -> sendUserSignal = true;
      default -> problem("PreemptParameters", name + ": read, and not acted on", null);
    }
  }

  private long number(String name, String text, long most) {
    BoundedNumber number = new BoundedNumber(name, text, 0, most);
    Long value = number.value();
    if (value == null) {
      problem("PreemptParameters", number.problem(), number.remedy());
    }
    return value == null ? 1 : value;
  }
}

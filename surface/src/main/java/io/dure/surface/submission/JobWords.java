package io.dure.surface.submission;

import io.dure.model.ErrorCode;
import io.dure.surface.body.DocumentValue;
import io.dure.surface.sbatch.SbatchOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Members that hold words of a set, or lists of generic resources. */
final class JobWords {
  private static final String GPU = "gpu";

  private JobWords() {}

  /** Whether a member says as much as one that is left out. */
  static boolean isEmpty(DocumentValue value) {
    return switch (value) {
      case DocumentValue.Text(String text) -> text.isEmpty();
      case DocumentValue.Whole(long number) -> number == 0;
      case DocumentValue.Items(List<DocumentValue> all) -> all.isEmpty();
      case DocumentValue.Members members ->
          members.all().values().stream().allMatch(JobWords::isEmpty);
      case DocumentValue.Flag _, DocumentValue.Fraction _, DocumentValue.Infinite _ -> false;
    };
  }

  static void flags(DescribedOptions options, String name, List<String> words)
      throws SubmissionException {
    for (String word : words) {
      switch (word) {
        case "KILL_INVALID_DEPENDENCY" ->
            options.set(SbatchOption.KILL_ON_INVALID_DEP, name, "yes");
        case "NO_KILL_INVALID_DEPENDENCY" ->
            options.set(SbatchOption.KILL_ON_INVALID_DEP, name, "no");
        case "SPREAD_JOB" -> options.set(SbatchOption.SPREAD_JOB, name, null);
        case "PREFER_MINIMUM_NODE_COUNT" -> options.set(SbatchOption.USE_MIN_NODES, name, null);
        case "GRES_BINDING_ENFORCED" ->
            options.set(SbatchOption.GRES_FLAGS, name, "enforce-binding");
        case "GRES_BINDING_DISABLED" ->
            options.set(SbatchOption.GRES_FLAGS, name, "disable-binding");
        case "SPREAD_SEGMENTS" -> options.set(SbatchOption.SPREAD_SEGMENTS, name, null);
        case "CONSOLIDATE_SEGMENTS" -> options.set(SbatchOption.CONSOLIDATE_SEGMENTS, name, null);
        case "EXPEDITED_REQUEUE" -> options.set(SbatchOption.REQUEUE, name, "expedite");
        case "TEST_NOW_ONLY" ->
            throw new SubmissionException(
                word + " is not for batch jobs", ErrorCode.NOT_SUPPORTED, options.place(name));
        case "EXTERNAL_JOB" -> options.set(SbatchOption.EXTERNAL, name, null);
        case "STEPMGR_ENABLED" -> options.set(SbatchOption.STEPMGR, name, null);
        default -> options.ignored(name, word + " is what the controller finds out");
      }
    }
  }

  /** Part of a time limit is {@code TIME=90%} here and {@code TIME_LIMIT_90} as an option. */
  static void mail(DescribedOptions options, String name, List<String> words)
      throws SubmissionException {
    List<String> types = new ArrayList<>();
    for (String word : words) {
      types.add(
          word.equals("TIME=100%")
              ? "TIME_LIMIT"
              : word.startsWith("TIME=")
                  ? "TIME_LIMIT_" + word.substring("TIME=".length(), word.length() - 1)
                  : word.equals("INVALID_DEPENDENCY") ? "INVALID_DEPEND" : word);
    }
    if (!types.isEmpty()) {
      options.set(SbatchOption.MAIL_TYPE, name, String.join(",", types));
    }
  }

  static void mode(DescribedOptions options, String name, List<String> words)
      throws SubmissionException {
    if (!words.isEmpty()) {
      options.set(SbatchOption.OPEN_MODE, name, words.getLast().toLowerCase(Locale.ROOT));
    }
  }

  static void profile(DescribedOptions options, String name, List<String> words)
      throws SubmissionException {
    List<String> asked = words.stream().filter(word -> !word.equals("NOT_SET")).toList();
    if (!asked.isEmpty()) {
      options.set(SbatchOption.PROFILE, name, String.join(",", asked).toLowerCase(Locale.ROOT));
    }
  }

  static void shared(DescribedOptions options, String name, List<String> words)
      throws SubmissionException {
    for (String word : words) {
      switch (word) {
        case "none" -> options.set(SbatchOption.EXCLUSIVE, name, null);
        case "oversubscribe" -> options.set(SbatchOption.OVERSUBSCRIBE, name, null);
        default -> options.set(SbatchOption.EXCLUSIVE, name, word);
      }
    }
  }

  /**
   * Generic resources as an option has them.
   *
   * @param text such as {@code gres/gpu:a100:2} or {@code gres:gpu=2}
   * @param gpu whether the option is about GPUs and does not name them
   */
  static String resources(DescribedOptions options, String name, String text, boolean gpu)
      throws SubmissionException {
    List<String> all = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      String plain = one.startsWith("gres/") || one.startsWith("gres:") ? one.substring(5) : one;
      plain = plain.replace('=', ':');
      if (!gpu) {
        all.add(plain);
      } else if (plain.equals(GPU)) {
        all.add("1");
      } else if (plain.startsWith(GPU + ":")) {
        all.add(plain.substring(GPU.length() + 1));
      } else {
        throw new SubmissionException(
            "Only gres/gpu can be asked for like this, not " + one,
            ErrorCode.DATA_CONV_FAILED,
            options.place(name));
      }
    }
    return String.join(",", all);
  }
}

package io.dure.surface.lsf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Conditions of {@code bsub -w}. All functions are pure. */
final class LsfDependency {
  private static final Pattern CONDITION =
      Pattern.compile("(?:(done|ended|exit|started)\\()?\\s*(\\d+(?:\\[\\d+])?)\\s*\\)?");

  private LsfDependency() {}

  /** A list as {@code --dependency} takes it, from {@code done(1) && ended(2)}. */
  static String of(String text) throws LsfFault {
    boolean any = text.contains("||");
    if (any && text.contains("&&")) {
      throw new LsfFault(text + ": && and || together are not known here");
    }
    List<String> all = new ArrayList<>();
    for (String part : text.split(any ? "\\|\\|" : "&&", -1)) {
      Matcher matcher = CONDITION.matcher(part.strip());
      if (!matcher.matches()) {
        throw new LsfFault(
            part.strip() + ": a condition is done, ended, exit or started of a job's number");
      }
      String named = matcher.group(1) == null ? "done" : matcher.group(1);
      String kind =
          switch (named) {
            case "ended" -> "afterany:";
            case "exit" -> "afternotok:";
            case "started" -> "after:";
            default -> "afterok:";
          };
      all.add(kind + LsfJobName.job(matcher.group(2)));
    }
    return String.join(any ? "?" : ",", all);
  }
}

package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;

/** Jobs and dependencies as PBS names them. All functions are pure. */
public final class PbsDependency {
  private PbsDependency() {}

  /** The job that {@code 12.server}, {@code 12[]} or {@code 12[3].server} means. */
  public static String job(String text) {
    int point = text.indexOf('.');
    String id = point < 0 ? text : text.substring(0, point);
    int bracket = id.indexOf('[');
    if (bracket < 0 || !id.endsWith("]")) {
      return id;
    }
    String task = id.substring(bracket + 1, id.length() - 1);
    return id.substring(0, bracket) + (task.isEmpty() ? "" : "_" + task);
  }

  /**
   * A list as {@code --dependency} takes it, from {@code afterok:1:2,afterany:3}.
   *
   * @throws CommandException for one that waits for jobs to come
   */
  public static String of(String text) throws CommandException {
    List<String> all = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      String[] words = one.split(":", -1);
      String kind =
          switch (words[0]) {
            case "after", "afterstartarray" -> "after";
            case "afterok", "afterokarray" -> "afterok";
            case "afternotok", "afternotokarray" -> "afternotok";
            case "afterany", "afteranyarray" -> "afterany";
            default ->
                throw PbsQuantity.refusal(
                    "a dependency of the kind '" + words[0] + "' is not known here");
          };
      if (words.length < 2) {
        throw PbsQuantity.illegal("depend", text);
      }
      StringBuilder part = new StringBuilder(kind);
      for (int i = 1; i < words.length; i++) {
        part.append(':').append(job(words[i]));
      }
      all.add(part.toString());
    }
    return String.join(",", all);
  }
}

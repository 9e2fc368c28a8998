package io.dure.surface.value;

import io.dure.model.job.JobId;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on other jobs as {@code --dependency} takes them: {@code afterok:12:13_4,after:20+5},
 * {@code afterany:12?afternotok:13}, {@code singleton}.
 */
public final class DependencyParser {

  private DependencyParser() {}

  /** The conditions, or null if the text is no list of conditions. */
  public static @Nullable DependencyList parse(String text) {
    boolean any = text.indexOf('?') >= 0;
    if (any && text.indexOf(',') >= 0) {
      return null;
    }
    char separator = any ? '?' : ',';
    List<Dependency> conditions = new ArrayList<>();
    int start = 0;
    while (start <= text.length()) {
      int end = text.indexOf(separator, start);
      String part = end < 0 ? text.substring(start) : text.substring(start, end);
      if (!addPart(part, conditions)) {
        return null;
      }
      start = (end < 0 ? text.length() : end) + 1;
    }
    return new DependencyList(List.copyOf(conditions), any);
  }

  private static boolean addPart(String part, List<Dependency> conditions) {
    int colon = part.indexOf(':');
    String word = colon < 0 ? part : part.substring(0, colon);
    DependencyType type = type(word);
    if (type == null) {
      // A bare job id waits for that job's end.
      return colon < 0 && addJob(DependencyType.AFTER_ANY, part, conditions);
    }
    if (type == DependencyType.SINGLETON) {
      conditions.add(new Dependency(type, 0, null, 0));
      return colon < 0;
    }
    if (colon < 0) {
      return false;
    }
    int start = colon + 1;
    while (start <= part.length()) {
      int end = part.indexOf(':', start);
      String job = end < 0 ? part.substring(start) : part.substring(start, end);
      if (!addJob(type, job, conditions)) {
        return false;
      }
      start = (end < 0 ? part.length() : end) + 1;
    }
    return true;
  }

  private static boolean addJob(DependencyType type, String text, List<Dependency> conditions) {
    int plus = text.indexOf('+');
    long delay = 0;
    if (plus >= 0) {
      delay = DigitParser.parse(text.substring(plus + 1), Integer.MAX_VALUE);
    }
    if (delay < 0 || (plus >= 0 && type != DependencyType.AFTER)) {
      return false;
    }
    String id = plus < 0 ? text : text.substring(0, plus);
    int underscore = id.indexOf('_');
    Integer task = null;
    if (underscore >= 0 && !id.endsWith("_*")) {
      long index = DigitParser.parse(id.substring(underscore + 1), Integer.MAX_VALUE);
      if (index < 0) {
        return false;
      }
      task = (int) index;
    }
    String digits = underscore < 0 ? id : id.substring(0, underscore);
    JobId job = JobId.parse(digits);
    if (job == null) {
      return false;
    }
    conditions.add(new Dependency(type, job.value(), task, (int) delay));
    return true;
  }

  private static @Nullable DependencyType type(String word) {
    for (DependencyType type : DependencyType.values()) {
      if (type.word().equalsIgnoreCase(word)) {
        return type;
      }
    }
    return null;
  }
}

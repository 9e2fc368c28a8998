package io.dure.surface.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists of jobs: {@code 1,2_[3,4]}, {@code jobid=1}. */
public final class JobReferenceList {

  private JobReferenceList() {}

  /** The jobs of all words one by one; {@code jobid=} before them is left out. */
  public static List<String> split(List<String> words) {
    List<String> jobs = new ArrayList<>();
    for (String word : words) {
      boolean named = word.toLowerCase(Locale.ROOT).startsWith("job");
      jobs.addAll(split(named ? word.substring(word.indexOf('=') + 1) : word));
    }
    return jobs;
  }

  /** The jobs one by one; commas within brackets do not part them. */
  public static List<String> split(String list) {
    List<String> jobs = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth <= 0) {
        add(jobs, list.substring(start, i));
        start = i + 1;
      }
    }
    add(jobs, list.substring(start));
    return jobs;
  }

  private static void add(List<String> jobs, String job) {
    if (!job.isEmpty()) {
      jobs.add(job);
    }
  }
}

package io.dure.cli.scontrol.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists of jobs as they stand after a word: {@code 1 2}, {@code 1,2_[3,4]}, {@code jobid=1}. */
final class JobArguments {

  private JobArguments() {}

  /** The jobs one by one; commas within brackets do not part them. */
  static List<String> split(List<String> words) {
    List<String> jobs = new ArrayList<>();
    for (String word : words) {
      String list = word.toLowerCase(Locale.ROOT).startsWith("job") ? afterEquals(word) : word;
      int start = 0;
      int depth = 0;
      for (int i = 0; i <= list.length(); i++) {
        char c = i < list.length() ? list.charAt(i) : ',';
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && (depth <= 0 || i == list.length())) {
          if (i > start) {
            jobs.add(list.substring(start, i));
          }
          start = i + 1;
        }
      }
    }
    return jobs;
  }

  private static String afterEquals(String word) {
    return word.substring(word.indexOf('=') + 1);
  }
}

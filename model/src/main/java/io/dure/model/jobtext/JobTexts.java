package io.dure.model.jobtext;

import java.util.List;

/**
 * The two long texts of a job, which {@link io.dure.model.request.Workload} only names: many jobs
 * of a user share them.
 *
 * @param script the script's bytes, one char (0 to 255) for each byte
 * @param environment {@code NAME=value} as the user had them, after {@code --export}, each behind
 *     the one before it and a NUL
 */
public record JobTexts(String script, String environment) {
  /** No script and no variables. */
  public static final JobTexts NONE = new JobTexts("", "");

  private static final char NUL = '\0';

  /** The texts of a script and these assignments. */
  public static JobTexts of(String script, List<String> assignments) {
    return new JobTexts(script, String.join(String.valueOf(NUL), assignments));
  }

  /** The environment, one {@code NAME=value} each. */
  public List<String> assignments() {
    return environment.isEmpty() ? List.of() : List.of(environment.split(String.valueOf(NUL), -1));
  }
}

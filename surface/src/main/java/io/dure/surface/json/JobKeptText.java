package io.dure.surface.json;

import io.dure.model.request.KeptOptions;
import io.dure.surface.facts.JobDetails;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The members of a job that tell of options which are kept with it and no more. */
final class JobKeptText {
  private static final List<String> NOT_SET = List.of("NOT_SET");

  private JobKeptText() {}

  private static KeptOptions kept(JobDetails facts) {
    return facts.spec().resources().more().shown();
  }

  /** How long nodes that are off are left off for it, in seconds. */
  static long delayBoot(JobDetails facts) {
    Duration time = kept(facts).delayBoot();
    return time == null ? 0 : time.toSeconds();
  }

  /** The words of {@code --profile} that Slurm's data parser knows. */
  static List<String> profile(JobDetails facts) {
    String text = kept(facts).profile();
    return text == null
        ? NOT_SET
        : Stream.of(text.toUpperCase(Locale.ROOT).split(",", -1))
            .flatMap(word ->
                switch (word) {
                  case "ALL" -> Stream.of("ENERGY", "TASK", "LUSTRE", "NETWORK");
                  case "FILESYSTEM" -> Stream.of("LUSTRE");
                  default -> Stream.of(word);
                })
            .toList();
  }

  /** The words of {@code --mail-type} that Slurm's data parser knows, each once. */
  static List<String> mailTypes(JobDetails facts) {
    String text = facts.spec().mailType();
    return text == null
        ? List.of()
        : Stream.of(text.toUpperCase(Locale.ROOT).split(",", -1))
            .flatMap(word ->
                switch (word) {
                  case "NONE" -> Stream.of();
                  case "ALL" ->
                      Stream.of(
                          "BEGIN", "END", "FAIL", "REQUEUE", "INVALID_DEPENDENCY", "STAGE_OUT");
                  case "INVALID_DEPEND" -> Stream.of("INVALID_DEPENDENCY");
                  case "TIME_LIMIT" -> Stream.of("TIME=100%");
                  case "TIME_LIMIT_90" -> Stream.of("TIME=90%");
                  case "TIME_LIMIT_80" -> Stream.of("TIME=80%");
                  case "TIME_LIMIT_50" -> Stream.of("TIME=50%");
                  default -> Stream.of(word);
                })
            .distinct()
            .toList();
  }

  /** Which tasks get which resources. */
  static String tresBind(JobDetails facts) {
    String gpus = facts.spec().resources().more().laid().gpuBind();
    String all = kept(facts).tresBind();
    return all != null ? all : gpus == null ? "" : "gres/gpu:" + gpus;
  }

  /** The speed asked of resources. */
  static String tresFrequency(JobDetails facts) {
    String gpus = kept(facts).gpuFrequency();
    return gpus == null ? "" : "gpu:" + gpus;
  }
}

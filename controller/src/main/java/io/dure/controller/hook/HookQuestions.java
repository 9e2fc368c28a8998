package io.dure.controller.hook;

import io.dure.cluster.ClusterState;
import io.dure.host.lua.LuaQuestions;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Answers what a script asks while it runs: most scripts never look at it. */
final class HookQuestions implements LuaQuestions {
  /**
   * Jobs of one answer: a script that has seen enough asks for no more, and holds few at a time.
   */
  private static final int PART = 500;

  private final ClusterState state;
  private final JobTexts texts;
  private final Logger log;
  private @Nullable List<Job> jobs;

  HookQuestions(ClusterState state, JobTexts texts, Logger log) {
    this.state = state;
    this.texts = texts;
    this.log = log;
  }

  @Override
  public @Nullable Object answer(String what, @Nullable Object value) {
    return switch (what) {
      case "log" -> {
        if (value instanceof Map<?, ?> line) {
          log(String.valueOf(line.get(1L)), "job_submit.lua: " + line.get(2L));
        }
        yield null;
      }
      case "job" -> job(number(value));
      case "jobs" -> jobs(number(value));
      case "reservations" -> HookTables.reservations(state);
      case "environment" -> SubmittedSpec.variables(texts);
      case "script" -> texts.script().getBytes(StandardCharsets.ISO_8859_1);
      default -> null;
    };
  }

  private static int number(@Nullable Object value) {
    return value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE
        ? number.intValue()
        : 0;
  }

  private @Nullable Object job(int id) {
    Job job = state.job(id);
    return job == null ? null : HookTables.job(job);
  }

  /** A part of the jobs. */
  private List<Map<String, Object>> jobs(int from) {
    List<Job> all = jobs == null ? state.jobs() : jobs;
    jobs = all;
    int begin = Math.min(from, all.size());
    return all.subList(begin, Math.min(begin + PART, all.size())).stream()
        .map(HookTables::job)
        .toList();
  }

  private void log(String level, String line) {
    switch (level) {
      case "error" -> log.error(line);
      case "info" -> log.info(line);
      case "verbose", "debug" -> log.debug(line);
      default -> log.trace(line);
    }
  }
}

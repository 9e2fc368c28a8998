package io.dure.controller.hook;

import io.dure.cluster.ClusterState;
import io.dure.host.lua.LuaQuestions;
import io.dure.model.jobtext.JobTexts;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Answers what a script asks while it runs: most scripts never look at it. */
record HookQuestions(ClusterState state, JobTexts texts, Logger log) implements LuaQuestions {

  @Override
  public @Nullable Object answer(String what, @Nullable Object value) {
    return switch (what) {
      case "log" -> {
        if (value instanceof Map<?, ?> line) {
          log(String.valueOf(line.get(1L)), "job_submit.lua: " + line.get(2L));
        }
        yield null;
      }
      case "jobs" -> HookTables.jobs(state);
      case "reservations" -> HookTables.reservations(state);
      case "environment" -> SubmittedSpec.variables(texts);
      case "script" -> texts.script().getBytes(StandardCharsets.ISO_8859_1);
      default -> null;
    };
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

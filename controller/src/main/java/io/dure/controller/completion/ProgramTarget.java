package io.dure.controller.completion;

import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import io.dure.surface.completion.CompletedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;

/** A program that is run for each, one after the other. */
final class ProgramTarget implements CompletionTarget {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** E2BIG of execve(2): the variables of that job will not be shorter later. */
  private static final String TOO_LONG = "error=7,";

  private final String program;
  private final Logger log;

  ProgramTarget(String program, Logger log) {
    this.program = program;
    this.log = log;
  }

  @Override
  public int most() {
    return 1;
  }

  @Override
  public void record(List<CompletedJob> ended) throws IOException, InterruptedException {
    for (CompletedJob job : ended) {
      if (!Files.isExecutable(Path.of(program))) {
        throw new IOException("there is no such program");
      }
      ScriptRun run = new ScriptRun("JobCompLoc", List.of(program), job.variables(), TIMEOUT, null);
      switch (run.run()) {
        case ScriptResult.Succeeded _ -> {}
        case ScriptResult.Failed(String reason) when !run.begun() && !reason.contains(TOO_LONG) ->
            throw new IOException(reason);
        // What it says of a job is its last word: it may have recorded the job before it failed.
        case ScriptResult.Failed(String reason) ->
            log.error("job " + job.facts().job().id() + ": " + reason);
        case ScriptResult.Ended(String reason) -> log.info(reason);
      }
    }
  }
}

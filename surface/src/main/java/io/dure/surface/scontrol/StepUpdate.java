package io.dure.surface.scontrol;

import io.dure.model.command.Command;
import io.dure.model.request.TimeLimit;
import io.dure.model.step.StepName;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.TimeLimitParser;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be changed of steps that run: their time limit. */
final class StepUpdate {
  private final UpdatePort port;

  StepUpdate(UpdatePort port) {
    this.port = port;
  }

  /** Changes the step, or all steps of the job, that one word names. */
  void run(KeyValue named, List<KeyValue> settings) throws CommandException {
    JobReference wanted = JobReference.parse(named.text());
    String step = wanted == null ? null : wanted.step();
    Integer number =
        step != null && StepName.parse(step) instanceof StepName.NumberedStep(int parsed)
            ? (Integer) parsed
            : null;
    if (wanted == null || step != null && number == null) {
      throw CommandException.plain("Invalid StepID parameter: " + named.word(), "Request aborted");
    }
    Command.UpdateStep change = null;
    for (KeyValue setting : settings) {
      if (setting.value() == null) {
        throw UpdateErrors.input(setting.word());
      }
      if (!setting.is("timelimit", 5)) {
        throw UpdateErrors.unknown(setting.word());
      }
      change = change(wanted.jobId(), number, setting);
    }
    if (change == null) {
      throw UpdateErrors.noChange();
    }
    port.update(change);
  }

  private static Command.UpdateStep change(int jobId, @Nullable Integer step, KeyValue setting)
      throws CommandException {
    String text = setting.text();
    char sign = setting.operator();
    if (sign == '\0' && (text.startsWith("+") || text.startsWith("-"))) {
      sign = text.charAt(0);
      text = text.substring(1);
    }
    TimeLimit limit = TimeLimitParser.parse(text);
    if (limit instanceof TimeLimit.Limited limited) {
      int minutes = (int) Math.min(Integer.MAX_VALUE, limited.duration().toMinutes());
      return new Command.UpdateStep(jobId, step, sign == '-' ? -minutes : minutes, sign != '\0');
    }
    if (limit == null || sign != '\0') {
      throw CommandException.error("Invalid TimeLimit value");
    }
    return new Command.UpdateStep(jobId, step, null, false);
  }
}

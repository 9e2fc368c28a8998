package io.dure.cli.scontrol.update;

import io.dure.cli.scontrol.session.Session;
import io.dure.core.controller.Command;
import io.dure.core.controller.JobChange;
import io.dure.core.model.ErrorCode;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.JobWord;
import io.dure.surface.value.JobWords;
import java.util.List;

/** Changes jobs. */
final class JobUpdate {

  private final Session session;

  JobUpdate(Session session) {
    this.session = session;
  }

  /** Changes each of the jobs; one that fails does not keep the others from it. */
  void run(String jobs, List<KeyValue> settings) throws CommandException {
    JobChangeBuilder builder = new JobChangeBuilder(session.context().clock());
    for (KeyValue setting : settings) {
      JobKey key = JobKey.WORDS.find(setting.key());
      if (setting.value() == null && key != JobKey.NICE) {
        throw Refusals.input(setting.word());
      }
      if (key == null) {
        throw Refusals.unknown(setting.word());
      }
      builder.set(key, setting);
    }
    if (settings.isEmpty()) {
      throw Refusals.noChange();
    }
    JobChange change = builder.build();
    boolean failed = false;
    for (String text : JobWords.split(jobs)) {
      try {
        JobWord job = JobWord.parse(text);
        if (job == null) {
          throw Session.plain(ErrorCode.INVALID_JOB_ID.text() + " for job " + text);
        }
        session.updateJob(new Command.UpdateJob(job.selector(), change), text);
      } catch (CommandException e) {
        session.fail(e);
        failed = true;
      }
    }
    if (failed) {
      throw new CommandException(1, List.of());
    }
  }
}

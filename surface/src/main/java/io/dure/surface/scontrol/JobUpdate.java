package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.JobReferenceList;
import java.util.List;

/** Changes jobs. */
final class JobUpdate {

  private final UpdatePort port;

  JobUpdate(UpdatePort port) {
    this.port = port;
  }

  /** Changes each of the jobs; one that fails does not keep the others from it. */
  void run(String jobs, List<KeyValue> settings) throws CommandException {
    JobChangeReader builder = new JobChangeReader(port.clock());
    for (KeyValue setting : settings) {
      JobUpdateKey key = JobUpdateKey.WORDS.find(setting.key());
      boolean alone = key == JobUpdateKey.NICE || key == JobUpdateKey.RESET_AGE;
      if (setting.value() == null && !alone) {
        throw UpdateErrors.input(setting.word());
      }
      if (key == null) {
        throw UpdateErrors.unknown(setting.word());
      }
      builder.set(key, setting);
    }
    if (settings.isEmpty()) {
      throw UpdateErrors.noChange();
    }
    JobChange change = builder.build();
    boolean failed = false;
    for (String text : JobReferenceList.split(jobs)) {
      try {
        JobReference job = JobReference.parse(text);
        if (job == null) {
          throw CommandException.plain(ErrorCode.INVALID_JOB_ID.text() + " for job " + text);
        }
        port.updateJob(new Command.UpdateJob(job.selector(), change), text);
      } catch (CommandException e) {
        port.fail(e);
        failed = true;
      }
    }
    if (failed) {
      throw CommandException.plain();
    }
  }
}

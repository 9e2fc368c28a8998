package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Job;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.JobReferenceList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes jobs. */
final class JobUpdate {

  private final UpdatePort port;

  JobUpdate(UpdatePort port) {
    this.port = port;
  }

  /** Changes each of the jobs; one that fails does not keep the others from it. */
  void run(String jobs, List<KeyValue> settings) throws CommandException {
    Change change = change(settings);
    boolean several = jobs.indexOf('_') < 0 && (jobs.indexOf(',') >= 0 || jobs.indexOf('+') >= 0);
    if (several && change.resizes()) {
      throw CommandException.error("Invalid job ID " + jobs);
    }
    boolean failed = false;
    for (String text : JobReferenceList.split(jobs)) {
      JobReference job = JobReference.parse(text);
      failed |= !change(job == null ? null : job.selector(), text, change);
    }
    if (failed) {
      throw CommandException.plain();
    }
  }

  /**
   * Changes each job of the name, also those that have ended, which the controller refuses.
   *
   * @param settings among them a {@code UserID} that says whose jobs are meant
   */
  void runNamed(String name, List<KeyValue> settings) throws CommandException {
    Change change = change(settings);
    String user = null;
    for (KeyValue setting : settings) {
      if (JobUpdateKey.WORDS.find(setting.key()) == JobUpdateKey.USER) {
        user = setting.text();
        if (!port.knowsUser(user)) {
          throw CommandException.plain("Invalid UserID: " + user, "Request aborted");
        }
      }
    }
    boolean found = false;
    boolean failed = false;
    for (Job job : port.jobsNamed(name)) {
      UserIdentity owner = job.owner();
      String number = Integer.toUnsignedString(owner.uid());
      if (user == null || user.equals(owner.userName()) || user.equals(number)) {
        found = true;
        failed |= !change(new JobSelector(job.id(), null), String.valueOf(job.id()), change);
      }
    }
    if (!found) {
      throw CommandException.error(
          user == null
              ? "No jobs with name '" + name + "'"
              : "No jobs with user ID " + user + " and name '" + name + "'");
    }
    if (failed) {
      throw CommandException.plain();
    }
  }

  /**
   * What is to be done with each job.
   *
   * @param refused why none can be changed so, null if the controller is to decide
   */
  private record Change(JobChange fields, @Nullable String refused) {
    /** Whether the number of nodes, or the nodes, are to change. */
    boolean resizes() {
      return fields.shape().minNodes() != null || fields.shape().requiredNodes() != null;
    }
  }

  private Change change(List<KeyValue> settings) throws CommandException {
    JobChangeReader builder = new JobChangeReader(port.clock());
    String refused = null;
    boolean empty = true;
    for (KeyValue setting : settings) {
      JobUpdateKey key = JobUpdateKey.WORDS.find(setting.key());
      boolean alone = key == JobUpdateKey.NICE || key == JobUpdateKey.RESET_AGE;
      if (setting.value() == null && !alone) {
        throw UpdateErrors.input(setting.word());
      }
      if (key == null) {
        throw UpdateErrors.unknown(setting.word());
      }
      switch (key) {
        case USER -> {}
        // Cores for the system are the cluster's to set aside, not a job's.
        case CORE_SPEC -> refused = ErrorCode.ACCESS_DENIED.text();
        // There are no other clusters for a job to go to.
        case CLUSTERS -> refused = "Unspecified error";
        default -> builder.set(key, setting);
      }
      empty &= key == JobUpdateKey.USER;
    }
    if (empty) {
      throw UpdateErrors.noChange();
    }
    return new Change(builder.build(), refused);
  }

  private boolean change(@Nullable JobSelector job, String text, Change change) {
    try {
      String refused = job == null ? ErrorCode.INVALID_JOB_ID.text() : change.refused();
      if (job == null || refused != null) {
        throw CommandException.plain(refused + " for job " + text);
      }
      Command.UpdateJob command = new Command.UpdateJob(job, change.fields());
      if (change.resizes()) {
        port.resizeJob(command, text);
      } else {
        port.updateJob(command, text);
      }
      return true;
    } catch (CommandException e) {
      port.fail(e);
      return false;
    }
  }
}

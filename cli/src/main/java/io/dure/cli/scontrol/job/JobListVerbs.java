package io.dure.cli.scontrol.job;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.job.Job;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.JobReferenceList;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** Verbs that act on the jobs that are listed after them. */
public final class JobListVerbs {

  private final ScontrolSession session;

  /** Acts in the session. */
  public JobListVerbs(ScontrolSession session) {
    this.session = session;
  }

  /** Keeps the jobs back; {@code asUser} for a hold that their owner may end. */
  public void hold(List<String> words, boolean asUser) throws CommandException {
    keepBack(words, job -> new Command.HoldJob(job.selector(), asUser));
  }

  /** Ends a hold. */
  public void release(List<String> words) throws CommandException {
    keepBack(words, job -> new Command.ReleaseJob(job.selector()));
  }

  /** Slurm says at the end once more what the last refusal was. */
  private void keepBack(List<String> words, Function<JobReference, Command.UserCommand> action)
      throws CommandException {
    List<ErrorCode> refusals = new ArrayList<>();
    try {
      each(
          withNamed(words),
          (job, text) ->
              session.updateJob(
                  action.apply(job),
                  text,
                  code -> {
                    if (text.contains("_")) {
                      return text + ": " + code.text();
                    }
                    refusals.add(code);
                    return code.text() + " for job " + text;
                  }),
          refusals::add);
    } catch (CommandException e) {
      throw refusals.isEmpty()
          ? e
          : CommandException.plain("slurm_suspend error: " + refusals.getLast().text());
    }
  }

  /** The words, and for {@code name=} and {@code jobname=} the jobs of these names. */
  private List<String> withNamed(List<String> words) throws CommandException {
    List<String> all = new ArrayList<>();
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (!lower.startsWith("name=") && !lower.startsWith("jobname=")) {
        all.add(word);
        continue;
      }
      List<String> names = KeywordParser.list(word.substring(word.indexOf('=') + 1));
      for (Job job : session.jobsNamed(names)) {
        all.add(String.valueOf(job.id()));
      }
    }
    return all;
  }

  /** Lets the jobs' processes stand still. */
  public void suspend(List<String> words) throws CommandException {
    pause(words, job -> new Command.SuspendJob(job.selector()));
  }

  /** Lets them go on. */
  public void resume(List<String> words) throws CommandException {
    pause(words, job -> new Command.ResumeJob(job.selector()));
  }

  /** Slurm has a word of its own here for a job that there is not. */
  private void pause(List<String> words, Function<JobReference, Command.UserCommand> action)
      throws CommandException {
    each(
        words,
        (job, text) ->
            session.updateJob(
                action.apply(job),
                text,
                code ->
                    code != ErrorCode.INVALID_JOB_ID
                        ? code.text() + " for job " + text
                        : text.contains("_")
                            ? text + ": Invalid job id specified"
                            : "Unexpected message received for job " + text),
        _ -> {});
  }

  /** Puts the jobs back into the queue, held if {@code hold}. */
  public void requeue(List<String> words, boolean hold) throws CommandException {
    boolean special = false;
    boolean incomplete = false;
    List<String> jobs = new ArrayList<>();
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("incomplete")) {
        incomplete = true;
      } else if (hold && lower.startsWith("state=")) {
        if (!"specialexit".startsWith(lower.substring(6)) || lower.length() == 6) {
          throw CommandException.plain("Invalid state for requeuehold: " + word);
        }
        special = true;
      } else {
        jobs.add(word);
      }
    }
    boolean specialExit = special;
    boolean onlyIncomplete = incomplete;
    each(jobs, job -> new Command.RequeueJob(job.selector(), hold, specialExit, onlyIncomplete));
  }

  private interface Step {
    void on(JobReference job, String text) throws CommandException;
  }

  private void each(List<String> words, Function<JobReference, Command.UserCommand> action)
      throws CommandException {
    each(words, (job, text) -> session.updateJob(action.apply(job), text), _ -> {});
  }

  /** Does it for every job, also when one of them fails; the last failure is the result. */
  private void each(List<String> words, Step step, Consumer<ErrorCode> unreadable)
      throws CommandException {
    CommandException failure = null;
    for (String text : JobReferenceList.split(words)) {
      JobReference job = JobReference.parse(text);
      try {
        if (job == null || job.step() != null) {
          unreadable.accept(ErrorCode.INVALID_JOB_ID);
          throw CommandException.plain(ErrorCode.INVALID_JOB_ID.text() + " for job " + text);
        }
        step.on(job, text);
      } catch (CommandException e) {
        session.fail(e);
        failure = e;
      }
    }
    if (failure != null) {
      throw new CommandException(failure.exitCode(), List.of());
    }
  }
}

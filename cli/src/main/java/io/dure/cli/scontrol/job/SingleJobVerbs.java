package io.dure.cli.scontrol.job;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.command.Command;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.JobReferenceList;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Verbs about one job: notify, top, wait_job, write batch_script. */
public final class SingleJobVerbs {

  private static final Duration POLL = Duration.ofSeconds(3);
  private static final String LOAD = "slurm_load_jobs error";

  private final ScontrolSession session;

  /** Acts in the session. */
  public SingleJobVerbs(ScontrolSession session) {
    this.session = session;
  }

  /** Writes a line to the job's standard error. */
  public void notify(List<String> words) throws CommandException {
    JobReference job = parse(words.getFirst());
    String text = String.join(" ", words.subList(1, words.size()));
    session.request("job notify failure", new Command.NotifyJob(job.selector(), text));
  }

  /** Moves the jobs before the other jobs of their owner. */
  public void top(List<String> words) throws CommandException {
    List<Integer> ids = new ArrayList<>();
    List<String> texts = JobReferenceList.split(words);
    for (String text : texts) {
      ids.add(parse(text).jobId());
    }
    session.updateJob(new Command.TopJobs(ids), String.join(",", texts));
  }

  /** Waits until the nodes of a job that has started are ready; fails if it does not run. */
  public void await(String word) throws CommandException {
    JobReference job = JobReference.parse(word);
    if (job == null) {
      throw CommandException.plain("Invalid job_id " + word);
    }
    while (true) {
      Response.Jobs jobs =
          session.ask(
              LOAD, new Request.ListJobs(List.of(job.jobId()), null, true), Response.Jobs.class);
      if (jobs.jobs().isEmpty()) {
        throw said("Problem running job " + word);
      }
      JobState state = meant(jobs.jobs(), job.jobId()).job().state();
      switch (state) {
        case JobState.Pending _ -> throw over(word);
        case JobState.Running running -> {
          if (running.launched()) {
            session.print("Nodes are ready for job " + word + "\n");
            return;
          }
        }
        case JobState.Suspended _ -> {
          session.print("Nodes are ready for job " + word + "\n");
          return;
        }
        case JobState.Completing completing -> {
          if (completing.afterwards() == PostRunAction.END) {
            throw over(word);
          }
        }
        case JobState.Ended _ -> throw over(word);
      }
      session.context().clock().pause(POLL);
    }
  }

  private static CommandException over(String job) {
    return said("Job " + job + " no longer running");
  }

  private static CommandException said(String text) {
    return new CommandException(1, List.of(StderrMessage.info(text)));
  }

  private static JobInfo meant(List<JobInfo> jobs, int id) {
    for (JobInfo info : jobs) {
      if (info.job().id() == id) {
        return info;
      }
    }
    return jobs.getFirst();
  }

  /** Writes the job's script to a file, or to standard output for a dash. */
  public void batchScript(List<String> words) throws CommandException {
    JobReference job = parse(words.getFirst());
    Response.Text text =
        session.ask(
            "job script retrieval failed",
            new Request.BatchScript(job.jobId()),
            Response.Text.class);
    // Each character stands for one byte of the script.
    byte[] script = String.join("\n", text.lines()).getBytes(StandardCharsets.ISO_8859_1);
    String name = words.size() > 1 ? words.get(1) : "slurm-" + job.jobId() + ".sh";
    if (name.equals("-")) {
      session.context().out().write(script, 0, script.length);
      return;
    }
    Path file = session.context().directory().resolve(name);
    try (OutputStream out = session.context().caller().write(file)) {
      out.write(script);
    } catch (IOException e) {
      throw CommandException.error("failed to open file `" + name + "`: " + e.getMessage());
    }
    session.print("batch script for job " + job.jobId() + " written to " + name + "\n");
  }

  private static JobReference parse(String text) throws CommandException {
    JobReference job = JobReference.parse(text);
    if (job == null) {
      throw CommandException.plain("Invalid job id specified: " + text);
    }
    return job;
  }
}

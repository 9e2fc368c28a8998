package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.cli.why.WaitReasonWord;
import io.dure.model.ErrorCode;
import io.dure.model.TaskIndices;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.JobExplanation;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ArrayTaskOrder;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.json.JobListJson;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.show.JobRecordText;
import io.dure.surface.show.RecordText;
import io.dure.surface.show.StepRecordText;
import io.dure.surface.value.JobReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints jobs, and the steps of those that run. */
final class ShowJobs {

  static final String LOAD = "slurm_load_jobs error";
  private static final String STEPS = "slurm_get_job_steps error";

  private final ScontrolSession session;

  ShowJobs(ScontrolSession session) {
    this.session = session;
  }

  /** All jobs, or the one that the word names. */
  void show(@Nullable String word) throws CommandException {
    JobReference wanted = word == null ? null : parse(word, "scontrol_print_job error");
    Response.Jobs answer = load(wanted);
    List<JobInfo> jobs = new ArrayList<>(answer.jobs());
    if (wanted != null && jobs.isEmpty()) {
      throw CommandException.plain(LOAD + ": " + ErrorCode.INVALID_JOB_ID.text());
    }
    if (wanted == null && !session.display().showsAll()) {
      jobs.removeIf(JobInfo::hidden);
    }
    if (jobs.isEmpty() && session.document() == null) {
      session.print("No jobs in the system\n");
      return;
    }
    if (wanted == null) {
      jobs.sort(Comparator.comparingInt(info -> info.job().id()));
      jobs = new ArrayList<>(ArrayTaskOrder.ofAll(jobs));
    } else {
      jobs.removeIf(info -> !isMeant(info.job(), wanted));
      jobs = new ArrayList<>(ArrayTaskOrder.of(jobs));
    }
    if (jobs.isEmpty() && wanted != null) {
      throw CommandException.plain("Job " + word + " not found");
    }
    JsonTarget document = session.document();
    if (document != null) {
      List<JobDetails> facts = jobs.stream().map(i -> new JobDetails(i, answer.now())).toList();
      Response.Cluster cluster =
          session.ask(LOAD, new Request.ShowCluster(), Response.Cluster.class);
      JobListJson.print(document, cluster, facts, answer.now());
      return;
    }
    boolean details = session.display().details() > 0;
    JobRecordText layout = new JobRecordText(session.times(answer.now()), answer.now(), details);
    for (JobInfo info : jobs) {
      RecordText record = layout.record(info);
      String why = wanted == null ? null : why(info.job());
      if (why != null) {
        record.line("Why=" + why);
      }
      session.print(record.text(session.display().isOneLine()));
    }
  }

  /** Why a job waits that was asked for by its number, null if that is not known. */
  private @Nullable String why(Job job) {
    if (!(job.state() instanceof JobState.Pending)) {
      return null;
    }
    try {
      Request asked = new Request.ExplainJob(ExplainedJob.selector(job), true);
      return session.ask(LOAD, asked) instanceof Response.Explained(JobExplanation told)
          ? WaitReasonWord.of(told, session.context().clock().zone())
          : null;
    } catch (CommandException e) {
      // A record is complete without it.
      return null;
    }
  }

  /** The steps of running jobs, or the one that the word names. */
  void showSteps(@Nullable String word) throws CommandException {
    JobReference wanted = word == null ? null : parse(word, STEPS);
    Response.Jobs answer = load(wanted);
    if (wanted != null && answer.jobs().isEmpty()) {
      throw CommandException.plain(STEPS + ": " + ErrorCode.INVALID_JOB_ID.text());
    }
    StepRecordText layout = new StepRecordText(session.times(answer.now()));
    List<JobInfo> meant = new ArrayList<>(answer.jobs());
    meant.removeIf(info -> wanted != null && !isMeant(info.job(), wanted));
    Map<Integer, List<Response.WaitingStep>> waiting = waiting(meant, wanted);
    boolean some = false;
    for (JobInfo info : meant) {
      Job job = info.job();
      List<RecordText> records = new ArrayList<>(layout.records(job, wanted));
      if (job.state() instanceof JobState.Running running) {
        for (Response.WaitingStep step : waiting.getOrDefault(job.id(), List.of())) {
          records.add(layout.waiting(job, running, step));
        }
      }
      for (RecordText record : records) {
        some = true;
        session.print(record.text(session.display().isOneLine()));
      }
    }
    if (!some && wanted == null) {
      session.print("No job steps in the system\n");
    } else if (!some && wanted != null) {
      // A job without steps is called one that lacks the number.
      String dot = wanted.step() == null ? "." : "";
      session.print("Job step " + word + dot + " not found\n");
      throw CommandException.plain();
    }
  }

  /** The steps of each of these jobs that wait for room, as far as the word means such steps. */
  private Map<Integer, List<Response.WaitingStep>> waiting(
      List<JobInfo> jobs, @Nullable JobReference wanted) throws CommandException {
    List<Integer> running =
        jobs.stream()
            .map(JobInfo::job)
            .filter(job -> job.state() instanceof JobState.Running)
            .map(Job::id)
            .toList();
    if (running.isEmpty() || !StepRecordText.meansWaiting(wanted)) {
      return Map.of();
    }
    Request asked = new Request.ShowWaitingSteps(wanted == null ? List.of() : running);
    return session.ask(STEPS, asked, Response.WaitingSteps.class).steps().stream()
        .collect(
            Collectors.groupingBy(
                Response.WaitingStep::jobId, TreeMap::new, Collectors.toUnmodifiableList()));
  }

  private static JobReference parse(String word, String prefix) throws CommandException {
    JobReference job = JobReference.parse(word);
    if (job == null) {
      throw CommandException.plain(prefix + ": " + ErrorCode.INVALID_JOB_ID.text());
    }
    return job;
  }

  private Response.Jobs load(@Nullable JobReference wanted) throws CommandException {
    List<Integer> ids = wanted == null ? List.of() : List.of(wanted.jobId());
    return session.ask(LOAD, new Request.ListJobs(ids, null, true), Response.Jobs.class);
  }

  private static boolean isMeant(Job job, JobReference wanted) {
    TaskIndices tasks = wanted.tasks();
    if (tasks == null) {
      return wanted.names(job.het());
    }
    return switch (job.array()) {
      case null -> false;
      case ArrayPart.Task task -> tasks.contains(task.index());
      case ArrayPart.Waiting waiting ->
          tasks.toList().stream().anyMatch(waiting.waiting()::contains);
    };
  }
}

package io.dure.cli.scancel;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.ClusterCheck;
import io.dure.cli.request.Question;
import io.dure.cli.request.SiteMessages;
import io.dure.model.ErrorCode;
import io.dure.model.TaskIndices;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.step.StepName;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.kill.BulkKill;
import io.dure.surface.kill.JobRecords;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Carries out one request, over one connection. */
final class JobCanceller {

  private final CommandContext context;
  private final ScancelRequest request;
  private final ChangeIdGenerator names;
  private final Map<Integer, Target> targets = new LinkedHashMap<>();

  /** Components of heterogeneous jobs that are to be cancelled. */
  private final TreeSet<Integer> leaders = new TreeSet<>();

  private int exitCode;

  JobCanceller(CommandContext context, ScancelRequest request) {
    this.context = context;
    this.request = request;
    this.names = new ChangeIdGenerator(context.caller());
  }

  int run() throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      if (request.clusters() != null) {
        ClusterCheck.check(request.clusters(), connection);
      }
      BulkKill bulk =
          new BulkKill(command -> connection.ask(names.named(command, null)), request.manner());
      if (request.isForFilter()) {
        for (Reply.KillFailure failure : bulk.passing(request.filter())) {
          attempted(failure.job(), failure.code());
        }
      } else if (request.needsRecords()) {
        selected(connection);
        List<Target> all = List.copyOf(targets.values());
        for (Reply.KillFailure failure : bulk.named(all.stream().map(Target::selector).toList())) {
          attempted(all.get(failure.place()).text(), failure.code());
        }
      } else if (request.isSilent()) {
        List<JobSelector> all = request.jobs().stream().map(JobReference::selector).toList();
        for (Reply.KillFailure failure : bulk.named(all)) {
          named(request.jobs().get(failure.place()), failure.code());
        }
      } else {
        for (JobReference job : request.jobs()) {
          ErrorCode problem = kill(connection, job.selector(), job.text(), job.step());
          if (problem != null) {
            named(job, problem);
          }
        }
      }
    } catch (IOException e) {
      throw unreachable(String.valueOf(e.getMessage()));
    }
    return exitCode;
  }

  private CommandException unreachable(String text) {
    return request.needsRecords()
        ? CommandException.plain("slurm_load_jobs error: " + text)
        : CommandException.error(
            "Kill job error on job id " + request.jobs().get(0).text() + ": " + text);
  }

  /** Without options a job that is gone, or never was, is no reason to complain. */
  private void named(JobReference job, ErrorCode problem) {
    boolean gone = problem == ErrorCode.INVALID_JOB_ID || problem == ErrorCode.ALREADY_DONE;
    if (!gone || request.verbosity() > 0) {
      complain(job, problem);
    }
    if (!gone) {
      exitCode = problem.number() & 0xff;
    }
  }

  private void selected(ControllerConnection connection) throws IOException, CommandException {
    List<Job> all = load(connection);
    for (Job job : all) {
      if (job.het() != null && KillFilter.isAlive(job) && request.filter().accepts(job)) {
        leaders.add(job.id());
      }
    }
    if (request.jobs().isEmpty()) {
      for (Job job : all) {
        if (KillFilter.isAlive(job) && !goesWithLeader(job)) {
          consider(connection, job, JobRecords.selector(job, null), job.displayId(), null);
        }
      }
      return;
    }
    for (JobReference word : request.jobs()) {
      List<Job> meant = JobRecords.named(all, word);
      if (meant.isEmpty()) {
        failed(word, ErrorCode.INVALID_JOB_ID);
      } else if (meant.stream().noneMatch(KillFilter::isAlive)) {
        if (request.verbosity() >= 0) {
          failed(word, ErrorCode.ALREADY_DONE);
        }
      } else {
        considerAll(connection, word, meant);
      }
    }
  }

  private void considerAll(ControllerConnection connection, JobReference word, List<Job> meant)
      throws IOException {
    for (Job job : meant) {
      boolean covered = word.component() == null && goesWithLeader(job);
      if (KillFilter.isAlive(job) && !covered) {
        JobSelector selector = JobRecords.selector(job, word.tasks());
        String text = meant.size() == 1 && word.step() == null ? word.text() : selector.text();
        consider(connection, job, selector, text, word.step());
      }
    }
  }

  /** Whether a component of a heterogeneous job is cancelled with the one that leads. */
  private boolean goesWithLeader(Job job) {
    return job.isHetFollower() && leaders.contains(job.baseId());
  }

  private List<Job> load(ControllerConnection connection) throws IOException, CommandException {
    List<Integer> ids = request.jobs().stream().map(JobReference::jobId).distinct().toList();
    Response.Jobs jobs =
        Question.expected(
            Response.Jobs.class,
            connection.ask(new Request.ListJobs(ids, null, true)),
            text -> CommandException.plain("slurm_load_jobs error: " + text));
    return jobs.jobs().stream().map(JobInfo::job).toList();
  }

  private void consider(
      ControllerConnection connection,
      Job job,
      JobSelector selector,
      String text,
      @Nullable String step)
      throws IOException {
    if (!request.filter().accepts(job) || (request.interactive() && !confirmed(job, text))) {
      return;
    }
    if (request.interactive() || !request.isSilent()) {
      attempt(connection, new Target(selector, text), step);
    } else {
      // The tasks of an array go in one request: each request waits for the controller's disk.
      targets.merge(selector.jobId(), new Target(selector, text), Target::and);
    }
  }

  /** A job, or some tasks of an array. */
  private record Target(JobSelector selector, String text) {
    Target and(Target other) {
      TaskIndices mine = selector.tasks();
      TaskIndices theirs = other.selector.tasks();
      if (mine == null || theirs == null) {
        JobSelector all = new JobSelector(selector.jobId(), null);
        return new Target(all, all.text());
      }
      TreeSet<Integer> tasks = new TreeSet<>(mine.toList());
      tasks.addAll(theirs.toList());
      JobSelector both = new JobSelector(selector.jobId(), TaskIndices.of(new ArrayList<>(tasks)));
      return new Target(both, both.text());
    }
  }

  private void attempt(ControllerConnection connection, Target target, @Nullable String step)
      throws IOException {
    ErrorCode problem = kill(connection, target.selector(), target.text(), step);
    boolean gone = problem == ErrorCode.ALREADY_DONE || problem == ErrorCode.INVALID_JOB_ID;
    if (problem != null && step != null && gone) {
      // The job is there; Slurm names it without the step.
      complain("job step id ", target.text(), ErrorCode.INVALID_JOB_ID);
      exitCode = ErrorCode.INVALID_JOB_ID.number() & 0xff;
    } else if (problem != null) {
      attempted(target.text(), problem);
    }
  }

  private void attempted(String job, ErrorCode problem) {
    if (problem != ErrorCode.ALREADY_DONE || request.verbosity() >= 0) {
      complain(job, problem);
      exitCode = problem.number() & 0xff;
    }
  }

  private boolean confirmed(Job job, String text) throws IOException {
    while (true) {
      context
          .out()
          .print(
              "Cancel job_id="
                  + text
                  + " name="
                  + job.spec().name()
                  + " partition="
                  + String.join(",", job.spec().partitions())
                  + " [y/n]? ");
      context.out().flush();
      int first = context.in().read();
      for (int c = first; c >= 0 && c != '\n'; ) {
        c = context.in().read();
      }
      if (first == 'y' || first == 'Y') {
        return true;
      }
      if (first < 0 || first == 'n' || first == 'N') {
        return false;
      }
    }
  }

  private @Nullable ErrorCode killStep(
      ControllerConnection connection, JobSelector selector, int step) throws IOException {
    Response response =
        connection.ask(
            names.named(new Command.KillStep(selector.jobId(), step, request.signal()), null));
    Reply.Refused refused = ResponseCheck.refusal(response);
    return refused == null ? null : refused.code();
  }

  private @Nullable ErrorCode kill(
      ControllerConnection connection, JobSelector selector, String text, @Nullable String step)
      throws IOException {
    if (step != null) {
      return StepName.parse(step) instanceof StepName.NumberedStep(int number)
          ? killStep(connection, selector, number)
          : ErrorCode.INVALID_JOB_ID;
    }
    boolean batch = request.batch();
    Integer signal = request.signal();
    if (request.verbosity() > 0) {
      String kind = batch ? "batch job " : "job ";
      context.report(
          StderrMessage.info(
              signal == null
                  ? "Terminating job " + text
                  : "Signal " + signal + " to " + kind + text));
    }
    if (request.adminComment() != null) {
      JobChange note = JobChange.NONE.withAdminComment(request.adminComment());
      Response noted =
          SiteMessages.told(
              context, connection.ask(names.named(new Command.UpdateJob(selector, note), null)));
      Reply.Refused refused = ResponseCheck.refusal(noted);
      if (refused != null) {
        return refused.code();
      }
    }
    Response response = connection.ask(names.named(request.manner().one(selector), null));
    Reply.Refused refused = ResponseCheck.refusal(response);
    return refused == null ? null : refused.code();
  }

  private void failed(JobReference job, ErrorCode problem) {
    complain(job, problem);
    exitCode = 1;
  }

  private void complain(JobReference job, ErrorCode problem) {
    complain(job.text(), problem);
  }

  private void complain(String job, ErrorCode problem) {
    complain(job.indexOf('.') < 0 ? "job id " : "job step id ", job, problem);
  }

  private void complain(String kind, String job, ErrorCode problem) {
    context.report(StderrMessage.error("Kill job error on " + kind + job + ": " + problem.text()));
  }
}

package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.step.StepName;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.kill.BulkKill;
import io.dure.surface.kill.JobRecords;
import io.dure.surface.kill.KillManner;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.SignalParser;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cancels jobs, and sends them signals. */
final class KillOperations {
  private static final String KILL = "slurm_kill_jobs";
  private static final String LOAD = "slurm_load_jobs";

  /** Jobs that one request names at most. */
  private static final int MOST = 1000;

  /** Flags that mean something, or nothing that would make another thing of the request. */
  private static final Set<String> KNOWN =
      Set.of(
          "ARRAY_TASK",
          "BATCH_JOB",
          "CRON_JOBS",
          "FULL_JOB",
          "FULL_STEPS_ONLY",
          "HURRY",
          "NO_SIBLING_JOBS",
          "VERBOSE");

  private KillOperations() {}

  static Map<String, RestOperation> all() {
    return Map.of(
        "DELETE /slurm/{version}/job/{job_id}", KillOperations::one,
        "DELETE /slurm/{version}/jobs/", KillOperations::many);
  }

  private static void one(RestCall call) throws RestFailure, IOException, InterruptedException {
    String text = call.path("job_id");
    String flags = call.query("flags");
    KillManner manner =
        manner(
            call.query("signal"),
            flags == null ? List.of() : KeywordParser.list(flags.toUpperCase(Locale.ROOT)));
    JobReference job = reference(text);
    KillOutcome outcome = new KillOutcome(text, job.jobId(), kill(call, job, manner));
    KillAnswer.write(
        call, "openapi_kill_job_resp", List.of(outcome), manner, call.document().warnings());
  }

  /** A step is named by the number of its own record. */
  private static @Nullable ErrorCode kill(RestCall call, JobReference job, KillManner manner)
      throws RestFailure, IOException, InterruptedException {
    if (job.step() == null) {
      return code(call, manner.one(job.selector()));
    }
    boolean numbered = job.tasks() == null && job.component() == null;
    return numbered && StepName.parse(job.step()) instanceof StepName.NumberedStep(int number)
        ? code(call, new Command.KillStep(job.jobId(), number, manner.signal()))
        : ErrorCode.INVALID_JOB_ID;
  }

  private static @Nullable ErrorCode code(RestCall call, Command.UserCommand command)
      throws RestFailure, IOException, InterruptedException {
    Response told = call.session().ask(new Request.Change(command, null));
    if (told instanceof Response.Failed) {
      throw RestCall.failure(told, KILL);
    }
    Reply.Refused refused = ResponseCheck.refusal(told);
    return refused == null ? null : refused.code();
  }

  private static void many(RestCall call) throws RestFailure, IOException, InterruptedException {
    DocumentValue.Members asked = call.document().root();
    List<JobReference> named = new ArrayList<>();
    List<String> words = asked.texts("jobs");
    if (words.size() > MOST) {
      throw RestCall.failure(
          ErrorCode.DATA_TOO_LARGE, "More than " + MOST + " jobs in one request", KILL);
    }
    for (String text : words) {
      named.add(reference(text));
    }
    KillManner manner = manner(asked.text("signal"), asked.texts("flags"));
    List<KillFilter> filters = filters(asked);
    if (named.isEmpty() && filters.stream().noneMatch(KillFilter::isSet)) {
      throw RestCall.failure(
          ErrorCode.REST_INVALID_JOBS_DESC, "Neither jobs nor a filter is given", KILL);
    }
    boolean steps = named.stream().anyMatch(job -> job.step() != null);
    if (steps && filters.stream().anyMatch(KillFilter::isSet)) {
      throw RestCall.failure(
          ErrorCode.NOT_SUPPORTED, "Steps are named without a filter of jobs", KILL);
    }
    List<DocumentProblem> warnings = new ArrayList<>(call.document().warnings());
    List<KillOutcome> outcomes = new ArrayList<>();
    List<JobReference> whole = new ArrayList<>();
    for (JobReference job : named) {
      if (job.step() == null) {
        whole.add(job);
      } else {
        outcomes.add(new KillOutcome(job.text(), job.jobId(), kill(call, job, manner)));
      }
    }
    if (!whole.isEmpty() || named.isEmpty()) {
      List<JobSelector> meant = selected(call, whole, filters, outcomes);
      outcomes.addAll(kill(call, meant, manner));
    }
    KillAnswer.write(call, "openapi_kill_jobs_resp", outcomes, manner, warnings);
  }

  private static List<KillOutcome> kill(RestCall call, List<JobSelector> jobs, KillManner manner)
      throws IOException {
    BulkKill bulk = new BulkKill(command -> ask(call, command), manner);
    @Nullable ErrorCode[] codes = new ErrorCode[jobs.size()];
    for (Reply.KillFailure failure : bulk.named(jobs)) {
      codes[failure.place()] = failure.code();
    }
    List<KillOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < codes.length; i++) {
      outcomes.add(new KillOutcome(jobs.get(i).text(), jobs.get(i).jobId(), codes[i]));
    }
    return outcomes;
  }

  private static Response ask(RestCall call, Command.UserCommand command) throws IOException {
    try {
      return call.session().ask(new Request.Change(command, null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the daemon is stopping");
    }
  }

  /**
   * The jobs that are named, or all, as far as they live and pass one of the filters.
   *
   * @param outcomes gets those that are named and not there
   */
  private static List<JobSelector> selected(
      RestCall call, List<JobReference> named, List<KillFilter> filters, List<KillOutcome> outcomes)
      throws RestFailure, IOException, InterruptedException {
    List<Integer> ids = named.stream().map(JobReference::jobId).distinct().toList();
    List<Job> passing = new ArrayList<>();
    TreeSet<Integer> leaders = new TreeSet<>();
    TreeSet<String> absent = new TreeSet<>();
    named.forEach(word -> absent.add(word.text()));
    Response.Jobs part =
        call.ask(
            new Request.ListJobs(ids, null, true).inParts(JobParts.MOST),
            Response.Jobs.class,
            LOAD);
    while (true) {
      List<Job> jobs = part.jobs().stream().map(JobInfo::job).toList();
      named.stream()
          .filter(word -> !JobRecords.named(jobs, word).isEmpty())
          .forEach(word -> absent.remove(word.text()));
      for (Job job : jobs) {
        if (KillFilter.isAlive(job) && filters.stream().anyMatch(one -> one.accepts(job))) {
          passing.add(job);
          if (job.het() != null) {
            leaders.add(job.id());
          }
        }
      }
      if (part.left() == 0) {
        break;
      }
      part = call.ask(new Request.MoreJobs(JobParts.MOST), Response.Jobs.class, LOAD);
    }
    for (JobReference word : named) {
      if (absent.contains(word.text())) {
        outcomes.add(new KillOutcome(word.text(), word.jobId(), ErrorCode.INVALID_JOB_ID));
      }
    }
    return selectors(passing, named, leaders);
  }

  /** Components of a heterogeneous job go with the one that leads it. */
  private static List<JobSelector> selectors(
      List<Job> passing, List<JobReference> named, Set<Integer> leaders) {
    List<JobSelector> meant = new ArrayList<>();
    if (named.isEmpty()) {
      for (Job job : passing) {
        if (!(job.isHetFollower() && leaders.contains(job.baseId()))) {
          meant.add(JobRecords.selector(job, null));
        }
      }
      return meant;
    }
    for (JobReference word : named) {
      for (Job job : JobRecords.named(passing, word)) {
        boolean goes =
            word.component() == null && job.isHetFollower() && leaders.contains(job.baseId());
        if (!goes) {
          meant.add(JobRecords.selector(job, word.tasks()));
        }
      }
    }
    return meant;
  }

  private static @Nullable Integer uid(@Nullable String number) throws RestFailure {
    try {
      return number == null ? null : Integer.valueOf(Integer.parseUnsignedInt(number));
    } catch (NumberFormatException e) {
      throw RestCall.failure(ErrorCode.USER_ID_MISSING, "user_id is a number: " + number, KILL);
    }
  }

  private static JobReference reference(String text) throws RestFailure {
    JobReference job = RestJobWord.parse(text);
    if (job == null) {
      throw RestCall.failure(
          ErrorCode.INVALID_JOB_ID, "Failed to parse JobId " + text, "parse_job_id");
    }
    return job;
  }

  private static KillManner manner(@Nullable String signal, List<String> flags) throws RestFailure {
    Integer number = signal == null || signal.isEmpty() ? null : SignalParser.number(signal);
    if (number != null && number == 0) {
      throw RestCall.failure(ErrorCode.DATA_CONV_FAILED, "Unknown job signal: " + signal, KILL);
    }
    for (String flag : flags) {
      if (!KNOWN.contains(flag) || flag.equals("FULL_STEPS_ONLY") && number == null) {
        throw RestCall.failure(
            ErrorCode.NOT_SUPPORTED, flag + " cannot be asked for like this", KILL);
      }
    }
    boolean batch = flags.contains("BATCH_JOB");
    return new KillManner(
        number == null && batch ? Integer.valueOf(SignalParser.number("KILL")) : number,
        batch,
        flags.contains("FULL_JOB"),
        flags.contains("CRON_JOBS"));
  }

  /** A filter for each state that is named, since one has one state; one alone for any state. */
  private static List<KillFilter> filters(DocumentValue.Members asked) throws RestFailure {
    // Once for all, within the bound of one list; a list with brackets may have been taken apart.
    String list = String.join(",", asked.texts("nodes"));
    List<String> nodes;
    try {
      nodes = list.isEmpty() ? List.of() : HostList.expand(list);
    } catch (HostListException e) {
      throw RestCall.failure(ErrorCode.INVALID_NODE_NAME, "Invalid node name: " + list, KILL);
    }
    List<String> states = asked.texts("job_state");
    List<KillFilter> all = new ArrayList<>();
    for (String state : states.isEmpty() ? List.of("") : states) {
      KillFilter.Phase phase =
          switch (state) {
            case "PENDING" -> KillFilter.Phase.PENDING;
            case "RUNNING" -> KillFilter.Phase.RUNNING;
            case "SUSPENDED" -> KillFilter.Phase.SUSPENDED;
            default -> null;
          };
      String number = asked.text("user_id");
      String name = asked.text("user_name");
      all.add(
          new KillFilter(
              asked.text("account"),
              asked.text("job_name"),
              asked.text("partition"),
              asked.text("qos"),
              name == null ? number : name,
              name == null ? null : uid(number),
              phase,
              List.copyOf(nodes),
              asked.text("wckey"),
              phase == null && !state.isEmpty(),
              asked.text("reservation")));
    }
    return all;
  }
}

package io.dure.surface.submission;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.surface.body.DocumentValue;
import io.dure.surface.body.RequestDocument;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.CallerFiles;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.WallClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a submission of a {@code job_submit_req}: members mean the options of {@code sbatch}, and
 * lines of the script mean nothing, as in Slurm. For one document and one thread.
 */
public final class SubmissionReader {
  private static final String JOB = "job";
  private static final String JOBS = "jobs";
  private static final String SCRIPT = "script";
  private static final String USER = "user_id";
  private static final String GROUP = "group_id";
  private static final String CRONTAB = "crontab";
  private static final String IMMEDIATE = "immediate";

  private final WallClock clock;
  private final SubmittingClient client;
  private final List<DocumentProblem> warnings = new ArrayList<>();

  /**
   * A reader.
   *
   * @param clock gives moments of the document their meaning
   */
  public SubmissionReader(WallClock clock, SubmittingClient client) {
    this.clock = clock;
    this.client = client;
  }

  /**
   * Reads a document.
   *
   * @param document without errors
   * @throws SubmissionException if it asks for something that no job can be
   */
  public DescribedSubmission read(RequestDocument document) throws SubmissionException {
    warnings.addAll(document.warnings());
    DocumentValue.Members root = document.root();
    DocumentValue.Members single = root.members(JOB);
    List<DocumentValue.Members> jobs = single == null ? root.objects(JOBS) : List.of(single);
    if (jobs.isEmpty() || jobs.size() > HetComponent.MOST) {
      String text =
          jobs.isEmpty()
              ? "There is neither job nor jobs"
              : "A heterogeneous job has at most " + HetComponent.MOST + " components";
      throw new SubmissionException(text, ErrorCode.REST_INVALID_JOBS_DESC, "#");
    }
    String script = root.text(SCRIPT);
    List<Command.Component> components = new ArrayList<>();
    JobTexts texts = JobTexts.NONE;
    String clusters = null;
    for (int i = 0; i < jobs.size(); i++) {
      String place = single == null ? "#/" + JOBS + "[" + i + "]" : "#/" + JOB;
      requireCommon(jobs.getFirst(), jobs.get(i), place);
      SbatchSettings settings = settings(jobs.get(i), place, i > 0);
      BatchDescription batch = new BatchDescription(jobs.get(i), place, settings, client);
      if (i == 0) {
        texts = batch.texts(script);
        clusters = settings.value(SbatchOption.CLUSTERS);
      }
      components.add(new Command.Component(spec(settings, batch.name(), place), batch.batch()));
    }
    Command.Component first = components.getFirst();
    return new DescribedSubmission(
        components.size() == 1
            ? new Command.SubmitJob(first.spec(), first.workload(), texts, null)
            : new Command.SubmitHetJob(List.copyOf(components), texts, null),
        runAs(jobs.getFirst()),
        clusters,
        List.copyOf(warnings));
  }

  /** What concerns the whole job may not be another in a later component. */
  private static void requireCommon(
      DocumentValue.Members first, DocumentValue.Members job, String place)
      throws SubmissionException {
    for (String name : List.of(SCRIPT, "environment", "argv", USER, GROUP, "clusters")) {
      DocumentValue own = job.all().get(name);
      if (own != null && !own.equals(first.all().get(name))) {
        throw new SubmissionException(
            name + " is that of the first component", ErrorCode.NOT_SUPPORTED, place + "/" + name);
      }
    }
  }

  /** The options of one job or component; mail is about the whole job. */
  private SbatchSettings settings(DocumentValue.Members job, String place, boolean follows)
      throws SubmissionException {
    SbatchSettings settings = new SbatchSettings(new SbatchOptionCheck(clock));
    DescribedOptions options = new DescribedOptions(settings, warnings, place);
    JobMemberTable.setAll(options, job);
    if (job.members(CRONTAB) != null) {
      throw new SubmissionException(
          "Entries of a crontab are submitted with scrontab",
          ErrorCode.NOT_SUPPORTED,
          options.place(CRONTAB));
    }
    if (Boolean.TRUE.equals(job.flag(IMMEDIATE))) {
      throw new SubmissionException(
          "A batch job waits for its start", ErrorCode.NOT_SUPPORTED, options.place(IMMEDIATE));
    }
    if (follows) {
      settings.unset(SbatchOption.MAIL_TYPE);
      settings.unset(SbatchOption.MAIL_USER);
    }
    return settings;
  }

  private JobSpec spec(SbatchSettings settings, String name, String place)
      throws SubmissionException {
    NodeListOptions nodes = new NodeListOptions(Path.of("/"), CallerFiles.NONE);
    JobSpecBuilder builder = new JobSpecBuilder(settings, clock, nodes);
    try {
      JobSpec spec = builder.spec(name);
      for (StderrMessage message : builder.warnings()) {
        warnings.add(new DocumentProblem(message.text(), null, place));
      }
      return spec;
    } catch (CommandException e) {
      throw new SubmissionException(e, place);
    }
  }

  /** The user and the group of the job as {@code chown} writes them, null for the caller. */
  private @Nullable String runAs(DocumentValue.Members job) {
    String user = job.text(USER);
    String group = job.text(GROUP);
    if (user != null && (user.equals(client.user()) || user.equals("" + client.uid()))) {
      user = null;
    }
    if (user == null
        && (client.group().equals(group) || Integer.toUnsignedString(client.gid()).equals(group))) {
      group = null;
    }
    return group == null ? user : (user == null ? "" : user) + ":" + group;
  }
}

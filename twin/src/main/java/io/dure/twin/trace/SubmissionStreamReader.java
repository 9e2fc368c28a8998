package io.dure.twin.trace;

import io.dure.model.request.ArrayRequest;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.RecordedSubmission;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams of submissions as Slurm's simulators write them: the offset of the submission
 * ({@code -dt}), the event ({@code -e}), a bar, how long the job runs ({@code -sim-walltime}), and
 * the arguments of {@code sbatch}. Used once.
 */
final class SubmissionStreamReader {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String REMEDY =
      "each line is -dt SECONDS -e submit_batch_job | -sim-walltime SECONDS ARGUMENTS OF sbatch";

  private static final int MAX_ARRAY_SIZE = 1_000_001;

  private final SkippedRecordCounter skips = new SkippedRecordCounter();
  private final List<TraceJob> jobs = new ArrayList<>();
  private @Nullable TraceException firstWrong;

  /** How many submissions were met, replayed or not: their numbers are the jobs' ids. */
  private int submissions;

  /** The words of a line before and after the bar. */
  private record Words(List<String> event, List<String> submission) {}

  /** Reads all lines; the first was read already. */
  WorkloadTrace read(TraceLineReader lines, @Nullable String first)
      throws IOException, TraceException {
    boolean ordered = true;
    for (String line = first; line != null; line = lines.next()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      List<TraceJob> components = components(lines, words(line));
      if (components.isEmpty()) {
        continue;
      }
      TraceJob job = components.getFirst();
      if (!jobs.isEmpty() && job.submit().isBefore(jobs.getLast().submit())) {
        skips.add("submitted before the line above: put in order", lines.number());
        ordered = false;
      }
      jobs.addAll(components.size() == 1 ? tasks(lines, job) : components);
    }
    if (jobs.isEmpty() && firstWrong != null) {
      throw firstWrong;
    }
    if (!ordered) {
      jobs.sort(Comparator.comparing(TraceJob::submit));
    }
    return new WorkloadTrace(lines.file(), Instant.EPOCH, jobs, null, skips.all());
  }

  /** The job of a line, or the components of a heterogeneous one; none if it is skipped. */
  private List<TraceJob> components(TraceLineReader lines, Words words) {
    Double submit = number(words.event(), "-dt");
    if (submit == null) {
      return skip(lines, 1, "no offset (-dt) of the submission");
    }
    String event = value(words.event(), "-e");
    if (!"submit_batch_job".equals(event)) {
      return skip(lines, 1, "the event " + event + " is not one that is replayed");
    }
    submissions++;
    String lasts = value(words.submission(), "-sim-walltime");
    boolean toItsLimit = "-1".equals(lasts);
    Double run = toItsLimit ? Double.valueOf(0) : number(words.submission(), "-sim-walltime");
    if (run == null) {
      return skip(lines, 1, "no run time (-sim-walltime)");
    }
    Duration runs = toItsLimit ? TraceJob.ENDLESS : Duration.ofSeconds((long) Math.ceil(run));
    List<String> arguments = without(words.submission(), "-sim-walltime");
    try {
      Instant at = Instant.ofEpochSecond(submit.longValue());
      List<RecordedSubmission> all = RecordedSubmission.all(arguments, at);
      List<TraceJob> jobs = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        JobSpec spec = all.get(i).spec();
        TraceJob.Component place = all.size() == 1 ? null : new TraceJob.Component(i, all.size());
        TraceJob.Origin origin = new TraceJob.Origin(submissions, null, 0, place);
        TraceJobRequest asked = new TraceJobRequest.SbatchRequest(spec);
        jobs.add(new TraceJob(spec.name(), at, runs, all.get(i).user(), asked, origin));
      }
      return jobs;
    } catch (CommandException e) {
      return skip(lines, 1, "sbatch: " + e.getMessage());
    }
  }

  /** The job itself, or one job for each task where it is an array. */
  private List<TraceJob> tasks(TraceLineReader lines, TraceJob job) {
    if (!(job.demand() instanceof TraceJobRequest.SbatchRequest(JobSpec spec))
        || spec.arrayTasks() == null) {
      return List.of(job);
    }
    ArrayRequest array;
    try {
      array = spec.arrayTasks().within(MAX_ARRAY_SIZE);
    } catch (ArrayRequest.InvalidArrayException e) {
      return skip(lines, 1, "sbatch: " + e.getMessage());
    }
    List<TraceJob> tasks = new ArrayList<>();
    for (int index : array.indices().toList()) {
      String name = job.name() + "_" + index;
      TraceJob.Origin origin = new TraceJob.Origin(submissions, index, array.throttle());
      tasks.add(new TraceJob(name, job.submit(), job.run(), job.user(), job.demand(), origin));
    }
    return tasks;
  }

  private List<TraceJob> skip(TraceLineReader lines, int column, String cause) {
    skips.add(cause, lines.number());
    if (firstWrong == null) {
      firstWrong = new TraceException(lines.file(), lines.number(), column, cause, REMEDY);
    }
    return List.of();
  }

  private static Words words(String line) {
    List<String> all = BLANKS.splitAsStream(line).toList();
    int bar = all.indexOf("|");
    return bar < 0
        ? new Words(all, List.of())
        : new Words(all.subList(0, bar), all.subList(bar + 1, all.size()));
  }

  private static @Nullable String value(List<String> words, String option) {
    int at = words.indexOf(option);
    return at < 0 || at + 1 >= words.size() ? null : words.get(at + 1);
  }

  private static List<String> without(List<String> words, String option) {
    int at = words.indexOf(option);
    List<String> left = new ArrayList<>(words.subList(0, at));
    left.addAll(words.subList(at + 2, words.size()));
    return left;
  }

  /** A number that is not negative; null where it is missing or none. */
  private static @Nullable Double number(List<String> words, String option) {
    String text = value(words, option);
    try {
      double value = text == null ? -1 : Double.parseDouble(text);
      return value >= 0 && value < 1e12 ? Double.valueOf(value) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}

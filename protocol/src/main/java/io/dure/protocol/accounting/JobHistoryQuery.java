package io.dure.protocol.accounting;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.JobSelector;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which recorded attempts of jobs are asked for. An empty list lets all pass.
 *
 * @param jobs jobs, arrays or tasks of them
 * @param users login names or numbers of owners
 * @param groups names or numbers of groups that they ran with
 * @param accounts accounts
 * @param partitions partitions that they ran in, or asked for if they did not run
 * @param qos qualities of service
 * @param names job names
 * @param wckeys workload keys
 * @param states states by Slurm's names: those that a job was in between the times
 * @param nodes node names, of which a job must have held one
 * @param from begin of the time, null for the first record
 * @param until its end, null for now; the end itself is outside
 * @param cpus how many CPUs it held
 * @param nodeCount how many nodes it held
 * @param minutes its time limit
 * @param steps whether steps are asked for
 * @param attempts whether attempts before the last of a job are
 * @param after only attempts that sort behind this one, null for all
 * @param wholeHetJobs whether components are asked for with all others of their whole; null for
 *     those of a named leader alone
 * @param text which text of the caller's own jobs is asked for, null for none
 * @param open true for those that are not over, whatever the time; null for all
 */
@RecordBuilder
public record JobHistoryQuery(
    List<JobSelector> jobs,
    List<String> users,
    List<String> groups,
    List<String> accounts,
    List<String> partitions,
    List<String> qos,
    List<String> names,
    List<String> wckeys,
    List<String> states,
    List<String> nodes,
    @Nullable Instant from,
    @Nullable Instant until,
    @Nullable Range cpus,
    @Nullable Range nodeCount,
    @Nullable Range minutes,
    boolean steps,
    boolean attempts,
    @Nullable AttemptId after,
    @Nullable Boolean wholeHetJobs,
    RecordedText.@Nullable Kind text,
    @Nullable Boolean open)
    implements JobHistoryQueryBuilder.With {
  /** What is not over, of all users. */
  public static final JobHistoryQuery OPEN =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, false, true, null, null, null, true);

  /** One that is not of what is not over alone. */
  public JobHistoryQuery(
      List<JobSelector> jobs,
      List<String> users,
      List<String> groups,
      List<String> accounts,
      List<String> partitions,
      List<String> qos,
      List<String> names,
      List<String> wckeys,
      List<String> states,
      List<String> nodes,
      @Nullable Instant from,
      @Nullable Instant until,
      @Nullable Range cpus,
      @Nullable Range nodeCount,
      @Nullable Range minutes,
      boolean steps,
      boolean attempts,
      @Nullable AttemptId after,
      @Nullable Boolean wholeHetJobs,
      RecordedText.@Nullable Kind text) {
    this(
        jobs,
        users,
        groups,
        accounts,
        partitions,
        qos,
        names,
        wckeys,
        states,
        nodes,
        from,
        until,
        cpus,
        nodeCount,
        minutes,
        steps,
        attempts,
        after,
        wholeHetJobs,
        text,
        null);
  }

  /** Whether a word means a job. */
  public boolean names(JobSelector word, Job job) {
    HetComponent het = job.het();
    if (het != null && Boolean.TRUE.equals(wholeHetJobs)) {
      return word.jobId() >= het.leader() && word.jobId() <= het.last();
    }
    if (word.component() != null) {
      return het != null && het.leader() == word.jobId() && het.offset() == word.component();
    }
    if (word.tasks() == null) {
      boolean alone = het != null && Boolean.FALSE.equals(wholeHetJobs);
      return job.id() == word.jobId() || !alone && job.baseId() == word.jobId();
    }
    return switch (job.array()) {
      case null -> false;
      case ArrayPart.Task task ->
          task.arrayJobId() == word.jobId() && word.tasks().contains(task.index());
      case ArrayPart.Waiting waiting ->
          waiting.arrayJobId() == word.jobId()
              && waiting.waiting().toList().stream().anyMatch(word.tasks()::contains);
    };
  }

  /** A number of at least and at most so many. */
  public record Range(long least, long most) {
    /** Whether it has the number. */
    public boolean has(long number) {
      return number >= least && number <= most;
    }
  }
}

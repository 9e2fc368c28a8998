package io.dure.model.accounting.record;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;

/**
 * One attempt of a job: from its submission, or its return to the queue, to its end. No other
 * attempt of the cluster has the same one, of a later job with the same id neither, as the numbers
 * of runs go on where ids begin again.
 *
 * @param jobId the job's id
 * @param number number of the run that it makes or will make
 */
public record AttemptId(int jobId, int number) {

  /** The attempt that a job is at, or that it ended with. */
  public static AttemptId of(Job job) {
    boolean ran =
        switch (job.state()) {
          case JobState.Pending _ -> false;
          case JobState.Running _, JobState.Suspended _, JobState.Completing _ -> true;
          case JobState.Ended ended -> ended.allocation() != null;
        };
    return new AttemptId(job.id(), ran ? job.run() : job.run() + 1);
  }
}

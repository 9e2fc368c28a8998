package io.dure.node.job;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.model.step.Step;
import io.dure.node.launch.OutputNameValues;
import io.dure.node.launch.OutputPattern;
import org.jspecify.annotations.Nullable;

/**
 * The absolute paths that a batch script reads and writes.
 *
 * @param input to read
 * @param output to write
 * @param error to write, null where it joins the output
 */
public record JobFiles(String input, String output, @Nullable String error) {

  /** Those of the job's script on this node, which is the first of the allocation. */
  public static JobFiles of(Job job, String nodeName) {
    Workload.BatchSpec batch = job.batch();
    OutputNameValues names = names(job, nodeName);
    String output = batch.standardOutput();
    String pattern = output == null ? OutputPattern.defaultOutput(job.array() != null) : output;
    String input = batch.standardInput();
    String error = batch.standardError();
    String directory = batch.workDirectory();
    return new JobFiles(
        input == null ? "/dev/null" : OutputPattern.resolve(input, directory, names),
        OutputPattern.resolve(pattern, directory, names),
        error == null ? null : OutputPattern.resolve(error, directory, names));
  }

  /** Where messages for the user go. */
  public String messages() {
    return error == null ? output : error;
  }

  private static OutputNameValues names(Job job, String nodeName) {
    Long arrayJob = null;
    Long index = null;
    if (job.array() instanceof ArrayPart.Task task) {
      arrayJob = (long) task.arrayJobId();
      index = (long) task.index();
    }
    return new OutputNameValues(
        job.id(),
        arrayJob,
        index,
        job.spec().name(),
        job.owner().userName(),
        Step.BATCH.text(),
        nodeName,
        0,
        0,
        job.restarts(),
        job.sluid());
  }
}

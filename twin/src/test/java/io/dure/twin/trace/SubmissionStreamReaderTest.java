package io.dure.twin.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.TimeLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SubmissionStreamReaderTest {
  private static WorkloadTrace read(String text) throws IOException, TraceException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return TraceOpener.read("jobs.events", new ByteArrayInputStream(bytes), SwfReadOptions.PLAIN);
  }

  private static JobSpec spec(TraceJob job) {
    return ((TraceJobRequest.SbatchRequest) job.demand()).spec();
  }

  @Test
  void aSubmissionIsReadAsSbatchReadsIt() throws Exception {
    WorkloadTrace trace =
        read(
            "-dt 10.50 -e submit_batch_job | -sim-walltime 84805.00 --uid=user001 -J one"
                + " -N    1 -n     32 -t 3-00:00:00 -q general -p main,other --mem=500G"
                + " --constraint=CPU-N pseudo.job\n");
    TraceJob job = trace.jobs().getFirst();
    assertEquals("one", job.name());
    assertEquals(Instant.ofEpochSecond(10), job.submit());
    assertEquals(Duration.ofSeconds(84_805), job.run());
    assertEquals("user001", job.user());
    JobSpec spec = spec(job);
    assertEquals(List.of("main", "other"), spec.partitions());
    assertEquals("general", spec.qos());
    assertEquals(TimeLimit.minutes(3 * 24 * 60), spec.timeLimit());
    assertEquals(32, spec.resources().tasks());
    assertEquals(1, spec.resources().maxNodes());
    assertEquals("CPU-N", spec.resources().features());
    assertEquals(new MemoryRequest.PerNode(512_000), spec.resources().memory());
    assertEquals(List.of(), trace.skipped());
  }

  @Test
  void timesCountFromTheSubmission() throws Exception {
    WorkloadTrace trace =
        read("-dt 60 -e submit_batch_job | -sim-walltime 5 --begin=now+60 -t 1 pseudo.job\n");
    assertEquals(Instant.ofEpochSecond(120), spec(trace.jobs().getFirst()).beginTime());
  }

  @Test
  void aRunOfMinusOneGoesOnToItsLimit() throws Exception {
    WorkloadTrace trace = read("-dt 1 -e submit_batch_job | -sim-walltime -1 -n 1 -t 5 x.job\n");
    assertEquals(TraceJob.ENDLESS, trace.jobs().getFirst().run());
    assertEquals(List.of(), trace.skipped());
  }

  @Test
  void anArrayIsItsTasks() throws Exception {
    WorkloadTrace trace =
        read(
            """
            -dt 1 -e submit_batch_job | -sim-walltime 7 -J a --array=1-5:2 x.job
            -dt 1 -e submit_batch_job | -sim-walltime 7 -J b --array=1-5%2 x.job
            """);
    assertEquals(
        List.of("a_1", "a_3", "a_5", "b_1", "b_2"),
        trace.jobs().stream().map(TraceJob::name).limit(5).toList());
    assertEquals(new TraceJob.Origin(1, 5, 0), trace.jobs().get(2).origin());
    assertEquals(new TraceJob.Origin(2, 1, 2), trace.jobs().get(3).origin());
    assertEquals(List.of(), trace.skipped());
  }

  @Test
  void whatCannotBeReplayedIsCountedByCause() throws Exception {
    WorkloadTrace trace =
        read(
            """
            -dt 1 -e submit_batch_job | -sim-walltime 5 -n 1 good.job
            -dt 1 -e cancel_job | 5
            -e submit_batch_job | -sim-walltime 5 -n 1 x.job
            -dt 1 -e submit_batch_job | -n 1 x.job
            -dt 1 -e submit_batch_job | -sim-walltime 5 -n none x.job
            -dt 1 -e submit_batch_job | -sim-walltime 5 --no-such-thing x.job
            """);
    assertEquals(1, trace.jobs().size());
    assertEquals(
        List.of(2, 3, 4, 5, 6), trace.skipped().stream().map(SkippedRecords::firstLine).toList());
    assertTrue(trace.skipped().getLast().cause().contains("--no-such-thing"));
  }

  @Test
  void aStreamWithoutAnyJobIsRefusedWithItsFirstFault() {
    TraceException wrong =
        assertThrows(TraceException.class, () -> read("-dt 1 -e submit_batch_job | -n 1 x.job\n"));
    assertEquals(
        "jobs.events:1: column 1: no run time (-sim-walltime); each line is -dt SECONDS -e"
            + " submit_batch_job | -sim-walltime SECONDS ARGUMENTS OF sbatch",
        wrong.text());
  }
}

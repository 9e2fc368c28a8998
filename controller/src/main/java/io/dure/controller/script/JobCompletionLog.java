package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Records each job that is over for good, as JobCompType says: a line of the file JobCompLoc, or a
 * run of the program JobCompLoc. One thread hands it events; nothing blocks. What does not find
 * room among those that wait is logged and left out.
 */
public final class JobCompletionLog implements AutoCloseable {
  private static final int WAITING = 100_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final ThreadPoolExecutor writer;
  private final BackgroundPrograms programs;
  private final Logger log;

  /** Of the writer: whether the last line could not be written. */
  private boolean failing;

  /** Records nothing yet. */
  public JobCompletionLog(Logger log) {
    this.log = log;
    programs = new BackgroundPrograms("jobcomp", 4, 10_000, log);
    writer =
        new ThreadPoolExecutor(
            1,
            1,
            5,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofVirtual().name("jobcomp-file-", 1).factory());
    writer.allowCoreThreadTimeOut(true);
  }

  /** Records the jobs that ended by events that are durable. */
  public void happened(List<Event> events, ClusterState after) {
    ControllerPrograms settings = after.settings().programs();
    if (settings.completion() == ControllerPrograms.Completion.NONE) {
      return;
    }
    List<JobCompletionFields> ended = new ArrayList<>();
    for (Event event : events) {
      Integer id =
          event instanceof Event.JobFinished e
              ? Integer.valueOf(e.jobId())
              : event instanceof Event.JobDropped e ? Integer.valueOf(e.jobId()) : null;
      Job job = id == null ? null : after.ended().get(id);
      if (job != null) {
        ended.add(JobCompletionFields.of(job, after));
      }
    }
    if (ended.isEmpty()) {
      return;
    }
    if (settings.completion() == ControllerPrograms.Completion.SCRIPT) {
      ended.forEach(fields -> run(settings.completionPlace(), fields));
    } else {
      write(Path.of(settings.completionPlace()), ended);
    }
  }

  private void run(String program, JobCompletionFields fields) {
    Map<String, String> environment = new LinkedHashMap<>(fields.variables());
    environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
    programs.run(
        new BackgroundPrograms.Program("JobCompLoc", program, List.of(), environment, TIMEOUT));
  }

  private void write(Path file, List<JobCompletionFields> ended) {
    StringBuilder lines = new StringBuilder();
    for (JobCompletionFields fields : ended) {
      lines.append(fields.line(ZoneId.systemDefault())).append('\n');
    }
    try {
      writer.execute(() -> append(file, lines.toString()));
    } catch (RejectedExecutionException e) {
      if (!writer.isShutdown()) {
        log.error("JobCompLoc: " + ended.size() + " ended jobs are left out of " + file);
      }
    }
  }

  private void append(Path file, String lines) {
    try {
      Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.error("JobCompLoc: ended jobs are not recorded until it can be written: " + e);
      }
      failing = true;
    }
  }

  /** Waits a little for lines that are on their way. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      var _ = writer.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    programs.close();
  }
}

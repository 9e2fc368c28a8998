package io.dure.surface.facts;

import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.model.step.Step;
import org.jspecify.annotations.Nullable;

/** Where a job's standard streams lead. */
public final class OutputPaths {

  private static final String NULL_DEVICE = "/dev/null";
  private static final int MAX_PAD = 10;

  private OutputPaths() {}

  /** Standard input as given, absolute. */
  public static String input(JobDetails facts) {
    Workload workload = facts.job().workload();
    String pattern = workload.standardInput();
    return pattern == null ? NULL_DEVICE : absolute(workload, pattern);
  }

  /** Standard output as given, absolute; the default name with its numbers. */
  public static String output(JobDetails facts) {
    Workload workload = facts.job().workload();
    String pattern = workload.standardOutput();
    if (pattern != null) {
      return absolute(workload, pattern);
    }
    return expand(absolute(workload, defaultPattern(facts.job())), facts);
  }

  /** Standard error as given, absolute; standard output if the two are joined. */
  public static String error(JobDetails facts) {
    Workload workload = facts.job().workload();
    String pattern = workload.standardError();
    return pattern == null ? output(facts) : absolute(workload, pattern);
  }

  private static String defaultPattern(Job job) {
    return job.array() == null ? "slurm-%j.out" : "slurm-%A_%a.out";
  }

  private static String absolute(Workload workload, String pattern) {
    if (pattern.startsWith("/")) {
      return pattern;
    }
    String directory = workload.workDirectory();
    return directory.endsWith("/") ? directory + pattern : directory + "/" + pattern;
  }

  /** The path with its patterns filled in; those that many values fit get the first of them. */
  public static String expand(String path, JobDetails facts) {
    if (path.indexOf('\\') >= 0) {
      return path.replace("\\", "");
    }
    StringBuilder text = new StringBuilder(path.length() + 16);
    String directory = facts.job().workload().workDirectory();
    // The directory in which the job was submitted is no pattern.
    int at = path.startsWith(directory + "/") ? directory.length() : 0;
    text.append(path, 0, at);
    while (at < path.length()) {
      char letter = path.charAt(at++);
      if (letter != '%') {
        text.append(letter);
        continue;
      }
      int start = at;
      int width = 0;
      while (at < path.length() && path.charAt(at) >= '0' && path.charAt(at) <= '9') {
        width = Math.min(MAX_PAD, width * 10 + (path.charAt(at++) - '0'));
      }
      String value = at < path.length() ? value(path.charAt(at), facts, width) : null;
      if (value == null) {
        text.append('%').append(path, start, at);
      } else {
        text.append(value);
        at++;
      }
    }
    return text.toString();
  }

  private static @Nullable String value(char letter, JobDetails facts, int width) {
    Job job = facts.job();
    return switch (letter) {
      case '%' -> "%";
      case 'A' -> padded(job.het() == null ? job.baseId() : job.id(), width);
      case 'a' -> padded(taskIndex(job), width);
      case 'j', 'J' -> padded(job.id(), width);
      case 'b' -> padded(taskIndex(job) % 10, width);
      case 'n', 't' -> padded(0, width);
      case 'r' -> padded(job.restarts(), width);
      case 's' -> Step.BATCH.text();
      case 'N' -> {
        Allocation allocation = facts.allocation();
        yield allocation == null ? "" : allocation.batchHost();
      }
      case 'u' -> job.owner().userName();
      case 'x' -> job.spec().name();
      default -> null;
    };
  }

  private static long taskIndex(Job job) {
    return switch (job.array()) {
      // What Slurm prints for a job outside an array.
      case null -> 0xffff_fffeL;
      case ArrayPart.Task task -> task.index();
      case ArrayPart.Waiting waiting -> waiting.waiting().first();
    };
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
  }
}

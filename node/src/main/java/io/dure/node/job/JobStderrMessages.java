package io.dure.node.job;

import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.node.launch.StepIdentity;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines that the node writes into a job's standard error, in Slurm's words. */
public final class JobStderrMessages {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  private JobStderrMessages() {}

  /** Why the job is ended; empty if nothing is said of that. */
  public static String ending(
      Job job, String nodeName, Effect.TerminationReason why, Instant now, ZoneId zone) {
    String reason = reason(why);
    return reason == null ? "" : ending("JOB " + job.id(), nodeName, reason, now, zone);
  }

  /** Why a step that still runs is ended; empty if nothing is said of that. */
  public static String endingOfStep(
      String step, String nodeName, Effect.TerminationReason why, Instant now, ZoneId zone) {
    if (why == Effect.TerminationReason.RESIZED) {
      return "";
    }
    String reason = reason(why);
    return ending("STEP " + step, nodeName, reason == null ? "" : reason, now, zone);
  }

  private static @Nullable String reason(Effect.TerminationReason why) {
    return switch (why) {
      case CANCELLED -> "";
      case TIME_LIMIT -> " DUE TO TIME LIMIT";
      case REQUEUED -> " DUE TO JOB REQUEUE";
      case NODE_FAILURE -> " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS";
      case PREEMPTED -> " DUE TO PREEMPTION";
      case ENDED, RESIZED -> null;
    };
  }

  private static String ending(
      String what, String nodeName, String reason, Instant now, ZoneId zone) {
    String time = TIME.withZone(zone).format(now);
    return "slurmstepd: error: *** "
        + what
        + " ON "
        + nodeName
        + " CANCELLED AT "
        + time
        + reason
        + " ***\n";
  }

  /** That the kernel has killed processes of the job for want of memory. */
  public static String outOfMemory(Job job, long kills) {
    return "slurmstepd: error: Detected "
        + kills
        + " oom_kill event"
        + (kills == 1 ? "" : "s")
        + " in StepId="
        + job.id()
        + ".batch. Some of the step tasks have been OOM Killed.\n";
  }

  /** That a step has more memory than it asked for, and is killed. */
  public static String overMemory(StepIdentity step, long bytes, long most) {
    return "slurmstepd: error: StepId="
        + step.jobId()
        + "."
        + step.step()
        + " exceeded memory limit ("
        + bytes
        + " > "
        + most
        + "), being killed\nslurmstepd: error: Exceeded job memory limit\n";
  }

  /** What {@code scontrol notify} writes; line ends within are blanks. */
  public static String notice(String text) {
    return "slurmstepd: " + text.strip().replaceAll("[\\r\\n\\x00]+", " ") + "\n";
  }

  /** Appends the line to the job's standard error, as its owner; whether that succeeded. */
  public static boolean write(Job job, String nodeName, String line, UserDatabase users)
      throws InterruptedException {
    if (line.isEmpty() || !(job.workload() instanceof Workload.BatchSpec)) {
      return true; // an allocation has no file of its own
    }
    int gid = job.owner().gid();
    List<Integer> groups;
    try {
      groups = users.groupsOf(job.owner().userName(), gid);
    } catch (UserDatabaseException e) {
      groups = List.of(gid);
    }
    String path = JobFiles.of(job, nodeName).messages();
    return UserFileAppender.append(path, line, job.owner().uid(), gid, groups);
  }
}

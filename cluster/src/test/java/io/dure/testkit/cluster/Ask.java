package io.dure.testkit.cluster;

import io.dure.model.TaskIndices;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.TimeLimit;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people ask for, shorter to write. */
public final class Ask {
  private Ask() {}

  public static JobSelector all(int jobId) {
    return new JobSelector(jobId, null);
  }

  public static JobSelector tasks(int jobId, String indices) {
    try {
      TaskIndices parsed = ArrayRequest.parse(indices, Integer.MAX_VALUE).indices();
      return new JobSelector(jobId, parsed);
    } catch (ArrayRequest.InvalidArrayException e) {
      throw new IllegalArgumentException(indices, e);
    }
  }

  public static Command.UserCommand cancel(JobSelector job) {
    return new Command.KillJob(job, null, false, false);
  }

  public static Command.UserCommand cancel(int job) {
    return cancel(all(job));
  }

  public static Command.UserCommand signal(int job, int number) {
    return new Command.KillJob(all(job), number, true, false);
  }

  public static Command.UserCommand hold(int job) {
    return new Command.HoldJob(all(job), false);
  }

  public static Command.UserCommand uhold(int job) {
    return new Command.HoldJob(all(job), true);
  }

  /** The job is to have that many nodes. */
  public static Command.UserCommand nodes(int job, int count) {
    return shape(job, JobChange.ResourceChange.NONE.with().minNodes(count).maxNodes(count).build());
  }

  /** The job is to have these nodes. */
  public static Command.UserCommand onNodes(int job, String... nodes) {
    return shape(job, JobChange.ResourceChange.NONE.withRequiredNodes(List.of(nodes)));
  }

  private static Command.UserCommand shape(int job, JobChange.ResourceChange shape) {
    return new Command.UpdateJob(all(job), JobChange.NONE.withShape(shape));
  }

  public static Command.UserCommand release(int job) {
    return new Command.ReleaseJob(all(job));
  }

  public static Command.UserCommand requeue(int job) {
    return new Command.RequeueJob(all(job), false, false, false);
  }

  public static Command.UserCommand requeueHold(int job) {
    return new Command.RequeueJob(all(job), true, false, false);
  }

  public static Command.UserCommand specialExit(int job) {
    return new Command.RequeueJob(all(job), true, true, false);
  }

  public static Command.UserCommand notice(int job) {
    return new Command.NotifyJob(all(job), "the cluster stops at noon");
  }

  public static Command.UserCommand top(Integer... jobs) {
    return new Command.TopJobs(List.of(jobs));
  }

  public static Command.UserCommand node(String name, String... keysAndValues) {
    return switch (keysAndValues.length) {
      case 2 -> new Command.UpdateNodes(List.of(name), Map.of(keysAndValues[0], keysAndValues[1]));
      case 4 ->
          new Command.UpdateNodes(
              List.of(name),
              Map.of(keysAndValues[0], keysAndValues[1], keysAndValues[2], keysAndValues[3]));
      default -> throw new IllegalArgumentException(List.of(keysAndValues).toString());
    };
  }

  public static Command.UserCommand timeLimit(int job, long minutes) {
    return new Command.UpdateJob(all(job), new Change().time(TimeLimit.minutes(minutes)).build());
  }

  public static Command.UserCommand update(int job, Change change) {
    return new Command.UpdateJob(all(job), change.build());
  }

  /** What an update changes. */
  public static final class Change {
    private @Nullable String comment;
    private @Nullable TimeLimit time;
    private @Nullable Instant begin;
    private @Nullable Instant deadline;
    private @Nullable DependencyList dependency;
    private @Nullable Long priority;
    private @Nullable Long nice;
    private @Nullable Integer throttle;
    private @Nullable Instant end;
    private @Nullable String mailType;
    private @Nullable String mailUser;
    private JobChange.ResourceChange shape = JobChange.ResourceChange.NONE;
    private JobChange.OutputChange output = JobChange.OutputChange.NONE;

    public Change comment(String value) {
      comment = value;
      return this;
    }

    public Change time(TimeLimit value) {
      time = value;
      return this;
    }

    public Change begin(Instant value) {
      begin = value;
      return this;
    }

    public Change deadline(Instant value) {
      deadline = value;
      return this;
    }

    public Change dependency(DependencyList value) {
      dependency = value;
      return this;
    }

    public Change priority(long value) {
      priority = value;
      return this;
    }

    public Change nice(long value) {
      nice = value;
      return this;
    }

    public Change throttle(int value) {
      throttle = value;
      return this;
    }

    public Change tasks(int value) {
      shape = JobChange.ResourceChange.NONE.withTasks(value);
      return this;
    }

    public Change output(String path) {
      output = new JobChange.OutputChange(null, path, null, null);
      return this;
    }

    public Change workDirectory(String path) {
      output = new JobChange.OutputChange(null, null, null, path);
      return this;
    }

    public Change cpus(int value) {
      shape = JobChange.ResourceChange.NONE.withCpus(value);
      return this;
    }

    public Change end(Instant value) {
      end = value;
      return this;
    }

    public Change mail(String type, String user) {
      mailType = type;
      mailUser = user;
      return this;
    }

    public JobChange build() {
      return JobChange.NONE
          .with()
          .comment(comment)
          .timeLimit(time)
          .beginTime(begin)
          .deadline(deadline)
          .dependency(dependency)
          .priority(priority)
          .nice(nice)
          .arrayThrottle(throttle)
          .shape(shape)
          .output(output)
          .endTime(end)
          .mailType(mailType)
          .mailUser(mailUser)
          .build();
    }
  }

  /** An hour of the node for alice, ten minutes from the beginning on. */
  public static Command.UserCommand reservation(String name, String node) {
    return new Command.CreateReservation(
        wish(name, TestCluster.START.plusSeconds(600), Duration.ofHours(1), List.of(node)));
  }

  /** Two hours instead. */
  public static Command.UserCommand longer(String name) {
    return new Command.UpdateReservation(name, wish(null, null, Duration.ofHours(2), null));
  }

  private static ReservationRequest wish(
      @Nullable String name,
      @Nullable Instant start,
      Duration length,
      @Nullable List<String> nodes) {
    NameListEdit users = new NameListEdit(NameListEdit.Mode.SET, List.of("alice"));
    return new ReservationRequest(
        name,
        start,
        null,
        length,
        null,
        nodes,
        null,
        null,
        null,
        null,
        nodes == null ? null : users,
        null,
        null,
        List.of(ReservationFlag.IGNORE_JOBS),
        List.of(),
        null,
        null,
        false,
        "UTC",
        null,
        null,
        null,
        null,
        null);
  }
}

package io.dure.cluster;

import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Equal values as one object, for what is kept a hundred thousand times. */
final class JobInterner {
  private JobInterner() {}

  /** The job, made of the other one's objects wherever both say the same. */
  static Job of(Job job, Job known) {
    return job.with()
        .owner(one(job.owner(), known.owner()))
        .spec(of(job.spec(), known.spec()))
        .workload(of(job.workload(), known.workload()))
        .submitTime(one(job.submitTime(), known.submitTime()))
        .state(one(job.state(), known.state()))
        .build();
  }

  private static <T extends @Nullable Object> T one(T value, T known) {
    return Objects.equals(value, known) ? known : value;
  }

  private static JobSpec of(JobSpec spec, JobSpec known) {
    if (spec.equals(known)) {
      return known;
    }
    return new JobSpec(
        one(spec.name(), known.name()),
        one(spec.partitions(), known.partitions()),
        one(spec.account(), known.account()),
        one(spec.qos(), known.qos()),
        one(spec.comment(), known.comment()),
        one(spec.resources(), known.resources()),
        one(spec.timeLimit(), known.timeLimit()),
        one(spec.timeMin(), known.timeMin()),
        one(spec.beginTime(), known.beginTime()),
        one(spec.deadline(), known.deadline()),
        one(spec.dependency(), known.dependency()),
        one(spec.arrayTasks(), known.arrayTasks()),
        one(spec.signal(), known.signal()),
        spec.requeue(),
        one(spec.priority(), known.priority()),
        spec.nice(),
        spec.killOnInvalidDependency(),
        one(spec.mailType(), known.mailType()),
        one(spec.mailUser(), known.mailUser()),
        one(spec.asked(), known.asked()),
        spec.siteFactor(),
        one(spec.reservations(), known.reservations()),
        one(spec.wckey(), known.wckey()),
        one(spec.adminComment(), known.adminComment()),
        spec.survivesNodes());
  }

  private static Workload of(Workload workload, Workload other) {
    if (workload.equals(other)
        || !(workload instanceof Workload.BatchSpec batch)
        || !(other instanceof Workload.BatchSpec known)) {
      return one(workload, other);
    }
    return new Workload.BatchSpec(
        one(batch.script(), known.script()),
        one(batch.arguments(), known.arguments()),
        one(batch.environment(), known.environment()),
        batch.loadUserEnvironment(),
        one(batch.workDirectory(), known.workDirectory()),
        one(batch.standardInput(), known.standardInput()),
        one(batch.standardOutput(), known.standardOutput()),
        one(batch.standardError(), known.standardError()),
        batch.openMode(),
        batch.umask(),
        one(batch.limits(), known.limits()),
        one(batch.command(), known.command()),
        one(batch.submitLine(), known.submitLine()),
        one(batch.submitHost(), known.submitHost()),
        batch.sessionId(),
        batch.limitsOfSite());
  }
}

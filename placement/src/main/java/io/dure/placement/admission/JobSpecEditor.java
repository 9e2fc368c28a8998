package io.dure.placement.admission;

import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request being changed in some of its parts; everything else stays. */
public final class JobSpecEditor {
  private final JobSpec base;
  private String name;
  private List<String> partitions;
  private @Nullable String account;
  private @Nullable String qos;
  private @Nullable String comment;
  private ResourceRequest resources;
  private TimeLimit timeLimit;
  private @Nullable Instant beginTime;
  private @Nullable Instant deadline;
  private DependencyList dependency;
  private RequeuePolicy requeue;
  private @Nullable Long priority;
  private long nice;
  private long siteFactor;
  private @Nullable String mailType;
  private @Nullable String mailUser;
  private List<String> reservations;

  private JobSpecEditor(JobSpec base) {
    this.base = base;
    name = base.name();
    partitions = base.partitions();
    account = base.account();
    qos = base.qos();
    comment = base.comment();
    resources = base.resources();
    timeLimit = base.timeLimit();
    beginTime = base.beginTime();
    deadline = base.deadline();
    dependency = base.dependency();
    requeue = base.requeue();
    priority = base.priority();
    nice = base.nice();
    siteFactor = base.siteFactor();
    mailType = base.mailType();
    mailUser = base.mailUser();
    reservations = base.reservations();
  }

  /** All as in the base, so far. */
  public static JobSpecEditor edit(JobSpec base) {
    return new JobSpecEditor(base);
  }

  public JobSpecEditor name(String value) {
    name = value;
    return this;
  }

  public JobSpecEditor partitions(List<String> value) {
    partitions = value;
    return this;
  }

  public JobSpecEditor account(@Nullable String value) {
    account = value;
    return this;
  }

  public JobSpecEditor qos(@Nullable String value) {
    qos = value;
    return this;
  }

  public JobSpecEditor comment(@Nullable String value) {
    comment = value;
    return this;
  }

  public JobSpecEditor resources(ResourceRequest value) {
    resources = value;
    return this;
  }

  public JobSpecEditor memory(MemoryRequest value) {
    resources = resources.withMemory(value);
    return this;
  }

  public JobSpecEditor timeLimit(TimeLimit value) {
    timeLimit = value;
    return this;
  }

  public JobSpecEditor beginTime(@Nullable Instant value) {
    beginTime = value;
    return this;
  }

  public JobSpecEditor deadline(@Nullable Instant value) {
    deadline = value;
    return this;
  }

  public JobSpecEditor dependency(DependencyList value) {
    dependency = value;
    return this;
  }

  public JobSpecEditor requeue(RequeuePolicy value) {
    requeue = value;
    return this;
  }

  public JobSpecEditor priority(@Nullable Long value) {
    priority = value;
    return this;
  }

  public JobSpecEditor nice(long value) {
    nice = value;
    return this;
  }

  public JobSpecEditor siteFactor(long value) {
    siteFactor = value;
    return this;
  }

  public JobSpecEditor mailType(@Nullable String value) {
    mailType = value;
    return this;
  }

  public JobSpecEditor mailUser(@Nullable String value) {
    mailUser = value;
    return this;
  }

  public JobSpecEditor reservations(List<String> value) {
    reservations = value;
    return this;
  }

  /** The request as it is now. */
  public JobSpec build() {
    return new JobSpec(
        name,
        partitions,
        account,
        qos,
        comment,
        resources,
        timeLimit,
        base.timeMin(),
        beginTime,
        deadline,
        dependency,
        base.arrayTasks(),
        base.signal(),
        requeue,
        priority,
        nice,
        base.killOnInvalidDependency(),
        mailType,
        mailUser,
        base.asked(),
        siteFactor,
        reservations);
  }
}

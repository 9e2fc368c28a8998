package io.dure.core.admission;

import io.dure.core.model.DependencyList;
import io.dure.core.model.JobSpec;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.Requeue;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.TimeLimit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request being changed in some of its parts; everything else stays. */
public final class Specs {
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
  private Requeue requeue;
  private @Nullable Long priority;
  private long nice;
  private long siteFactor;
  private @Nullable String mailType;
  private @Nullable String mailUser;
  private List<String> reservations;

  private Specs(JobSpec base) {
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
  public static Specs edit(JobSpec base) {
    return new Specs(base);
  }

  public Specs name(String value) {
    name = value;
    return this;
  }

  public Specs partitions(List<String> value) {
    partitions = value;
    return this;
  }

  public Specs account(@Nullable String value) {
    account = value;
    return this;
  }

  public Specs qos(@Nullable String value) {
    qos = value;
    return this;
  }

  public Specs comment(@Nullable String value) {
    comment = value;
    return this;
  }

  public Specs resources(ResourceRequest value) {
    resources = value;
    return this;
  }

  public Specs memory(MemoryRequest value) {
    resources = resources.withMemory(value);
    return this;
  }

  public Specs timeLimit(TimeLimit value) {
    timeLimit = value;
    return this;
  }

  public Specs beginTime(@Nullable Instant value) {
    beginTime = value;
    return this;
  }

  public Specs deadline(@Nullable Instant value) {
    deadline = value;
    return this;
  }

  public Specs dependency(DependencyList value) {
    dependency = value;
    return this;
  }

  public Specs requeue(Requeue value) {
    requeue = value;
    return this;
  }

  public Specs priority(@Nullable Long value) {
    priority = value;
    return this;
  }

  public Specs nice(long value) {
    nice = value;
    return this;
  }

  public Specs siteFactor(long value) {
    siteFactor = value;
    return this;
  }

  public Specs mailType(@Nullable String value) {
    mailType = value;
    return this;
  }

  public Specs mailUser(@Nullable String value) {
    mailUser = value;
    return this;
  }

  public Specs reservations(List<String> value) {
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

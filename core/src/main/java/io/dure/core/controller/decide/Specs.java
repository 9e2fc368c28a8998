package io.dure.core.controller.decide;

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
final class Specs {
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

  static Specs edit(JobSpec base) {
    return new Specs(base);
  }

  Specs name(String value) {
    name = value;
    return this;
  }

  Specs partitions(List<String> value) {
    partitions = value;
    return this;
  }

  Specs account(@Nullable String value) {
    account = value;
    return this;
  }

  Specs qos(@Nullable String value) {
    qos = value;
    return this;
  }

  Specs comment(@Nullable String value) {
    comment = value;
    return this;
  }

  Specs resources(ResourceRequest value) {
    resources = value;
    return this;
  }

  Specs memory(MemoryRequest value) {
    resources = resources.withMemory(value);
    return this;
  }

  Specs timeLimit(TimeLimit value) {
    timeLimit = value;
    return this;
  }

  Specs beginTime(@Nullable Instant value) {
    beginTime = value;
    return this;
  }

  Specs deadline(@Nullable Instant value) {
    deadline = value;
    return this;
  }

  Specs dependency(DependencyList value) {
    dependency = value;
    return this;
  }

  Specs requeue(Requeue value) {
    requeue = value;
    return this;
  }

  Specs priority(@Nullable Long value) {
    priority = value;
    return this;
  }

  Specs nice(long value) {
    nice = value;
    return this;
  }

  Specs siteFactor(long value) {
    siteFactor = value;
    return this;
  }

  Specs mailType(@Nullable String value) {
    mailType = value;
    return this;
  }

  Specs mailUser(@Nullable String value) {
    mailUser = value;
    return this;
  }

  Specs reservations(List<String> value) {
    reservations = value;
    return this;
  }

  JobSpec build() {
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

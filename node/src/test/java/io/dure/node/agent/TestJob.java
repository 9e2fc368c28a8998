package io.dure.node.agent;

import io.dure.model.UserIdentity;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.JobSpec;
import io.dure.model.request.OpenMode;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A job as the controller would launch it; fields are set before {@link #build}. */
public final class TestJob {
  private static final Map<TextId, String> TEXTS = new ConcurrentHashMap<>();

  final int id;
  private final String body;
  String firstLine = "#!/bin/sh";
  String workDirectory;
  int run = 1;
  UserIdentity owner;
  String output = "out-%j";
  String error;
  List<String> environment = new ArrayList<>(List.of("PATH=/usr/bin:/bin"));
  List<PropagatedRlimit> limits = List.of();
  boolean limitsOfSite;
  long memoryMib;
  List<String> nodes = List.of("n1");

  TestJob(int id, String body, TestNode node) {
    this(id, body, node.work(), node.owner());
  }

  public TestJob(int id, String body, Path directory, UserIdentity owner) {
    this.id = id;
    this.body = body;
    this.workDirectory = directory.toString();
    this.owner = owner;
  }

  /** Script and environment of a job that was built here. */
  static JobTexts texts(Job job) {
    return new JobTexts(
        Objects.requireNonNull(TEXTS.get(job.workload().script())),
        Objects.requireNonNull(TEXTS.get(job.workload().environment())));
  }

  public Job build() {
    JobTexts texts = JobTexts.of(firstLine + "\n" + body + "\n", environment);
    TextId script = TextId.of(texts.script());
    TextId variables = TextId.of(texts.environment());
    TEXTS.put(script, texts.script());
    TEXTS.put(variables, texts.environment());
    Workload.BatchSpec batch =
        new Workload.BatchSpec(
            script,
            List.of(),
            variables,
            false,
            workDirectory,
            null,
            output,
            error,
            OpenMode.DEFAULT,
            022,
            limits,
            null,
            "sbatch job.sh",
            "login",
            1,
            limitsOfSite);
    List<NodeShare> shares =
        nodes.stream().map(node -> new NodeShare(node, List.of(0), 1, memoryMib, 1)).toList();
    Instant start = Instant.parse("2026-01-20T12:00:00Z");
    return new Job(
        id,
        null,
        owner,
        spec(),
        batch,
        start,
        start,
        100,
        0,
        run,
        new JobState.Running(
            new Allocation("main", shares),
            start,
            null,
            false,
            false,
            Hold.NONE,
            false,
            null,
            null,
            false),
        null);
  }

  private static JobSpec spec() {
    ResourceRequest request = ResourceRequest.of(1, 1, 1);
    return JobSpec.of("test", List.of("main"), request, new TimeLimit.Unlimited());
  }
}

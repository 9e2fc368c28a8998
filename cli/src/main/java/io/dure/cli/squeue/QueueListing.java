package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ArrayTaskOrder;
import io.dure.surface.facts.ClusterNameCheck;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.LazyTimestamps;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JobListJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.squeue.JobColumn;
import io.dure.surface.squeue.JobColumnValues;
import io.dure.surface.squeue.JobIdFilter;
import io.dure.surface.squeue.JobRowOrder;
import io.dure.surface.squeue.ListingStyle;
import io.dure.surface.squeue.QueueQuery;
import io.dure.surface.squeue.SqueueFilter;
import io.dure.surface.squeue.StepColumn;
import io.dure.surface.squeue.StepColumnValues;
import io.dure.surface.squeue.StepRow;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Asks for the jobs, chooses, orders and prints them. For one thread. */
final class QueueListing {

  private static final String FAILED = "slurm_load_jobs error: ";

  private final CommandContext context;
  private final QueueQuery query;

  QueueListing(CommandContext context, QueueQuery query) {
    this.context = context;
    this.query = query;
  }

  /** Prints the listing once. */
  void print() throws CommandException {
    Response.Jobs jobs;
    Response.Cluster known;
    try (ControllerConnection connection = context.controller().open()) {
      known = needsCluster() ? cluster(connection) : null;
      jobs =
          Question.expected(Response.Jobs.class, connection.ask(request()), QueueListing::failure);
    } catch (IOException e) {
      throw failure(String.valueOf(e.getMessage()));
    }
    String cluster = known == null ? "" : known.clusterName();
    List<JobIdFilter> picks = query.filter().picks();
    if (picks != null && picks.size() == 1 && jobs.jobs().isEmpty()) {
      throw failure("Invalid job id specified");
    }
    reportUnknownUsers(jobs.jobs());
    List<String> clusters = query.clusters();
    if (clusters != null) {
      ClusterNameCheck.check(clusters, cluster);
    }
    Instant now = jobs.now();
    JobColumnValues values =
        new JobColumnValues(
            new ListingStyle(
                query.style().plainUnits(),
                query.style().expandPatterns(),
                query.style().taskListLimit(),
                cluster,
                new LazyTimestamps(context.environment(), context.clock(), now)));
    List<JobDetails> rows =
        rows(
            picks == null ? ArrayTaskOrder.ofAll(jobs.jobs()) : ArrayTaskOrder.of(jobs.jobs()),
            now);
    String sort = query.rows().sort();
    if (sort != null) {
      rows.sort(JobRowOrder.parse(sort, values));
    }
    DocumentFormat document = query.view().document();
    if (document != null && known != null) {
      JobListJson.print(context.document(document), known, rows, now);
    } else {
      print(rows, values, cluster);
    }
  }

  private void print(List<JobDetails> rows, JobColumnValues values, String cluster) {
    String title = query.clusters() == null ? null : cluster;
    QueueTable table = new QueueTable(context, query.view(), title);
    switch (query.view().kind()) {
      case TABLE -> table.print(rows, JobColumn.all(), values);
      case STEPS -> {
        List<StepRow> steps = new ArrayList<>();
        for (JobDetails row : rows) {
          steps.addAll(StepRow.of(row));
        }
        steps.removeIf(step -> !query.view().lists(step));
        table.print(steps, StepColumn.all(), new StepColumnValues(values));
      }
    }
  }

  /** A name without jobs may be a slip; one with jobs is known. */
  private void reportUnknownUsers(List<JobInfo> jobs) {
    List<String> users = query.filter().matcher().criteria().users();
    if (users == null) {
      return;
    }
    Set<String> unseen = new LinkedHashSet<>(users);
    for (JobInfo info : jobs) {
      unseen.remove(info.job().owner().userName());
      unseen.remove(Integer.toUnsignedString(info.job().owner().uid()));
    }
    for (String user : unseen) {
      if (!isKnown(user)) {
        context.report(StderrMessage.error("Invalid user: " + user + "\n"));
      }
    }
  }

  private Request request() {
    List<JobIdFilter> picks = query.filter().picks();
    Set<Integer> ids = new LinkedHashSet<>();
    if (picks != null) {
      for (JobIdFilter pick : picks) {
        ids.add(pick.jobId());
      }
    }
    boolean ended = query.filter().matcher().wantsEnded();
    if (!ids.isEmpty()) {
      return new Request.ListJobs(List.copyOf(ids), null, ended);
    }
    JobCriteria criteria = query.beyondUser();
    boolean narrow = criteria != null && knowsUsers();
    return new Request.ListJobs(List.of(), query.user(), ended, 0, narrow ? criteria : null);
  }

  /** Of others any job shows that they are no slip. */
  private boolean knowsUsers() {
    List<String> users = query.filter().matcher().criteria().users();
    return users == null || users.stream().allMatch(this::isKnown);
  }

  private boolean isKnown(String user) {
    return user.equals(Integer.toUnsignedString(context.caller().uid()))
        || context.caller().knowsUser(user);
  }

  /** That the jobs could not be had. */
  static CommandException failure(String text) {
    return CommandException.plain(FAILED + text);
  }

  private boolean needsCluster() {
    String names = query.view().names();
    return query.clusters() != null
        || query.filter().matcher().criteria().nodes() != null
        || query.view().document() != null
        || (names != null && names.toLowerCase(Locale.ROOT).contains("cluster"));
  }

  private Response.Cluster cluster(ControllerConnection connection)
      throws IOException, CommandException {
    Response.Cluster cluster =
        Question.expected(
            Response.Cluster.class,
            connection.ask(new Request.ShowCluster()),
            QueueListing::failure);
    checkNodes(cluster);
    return cluster;
  }

  private void checkNodes(Response.Cluster cluster) throws CommandException {
    Set<String> unknown = new TreeSet<>();
    List<String> asked = query.filter().matcher().criteria().nodes();
    if (asked != null) {
      unknown.addAll(asked);
    }
    for (NodeInfo node : cluster.nodes()) {
      unknown.remove(node.config().name());
    }
    if (!unknown.isEmpty()) {
      throw CommandException.error("Invalid node name " + unknown.iterator().next());
    }
  }

  private List<JobDetails> rows(List<JobInfo> infos, Instant now) {
    List<JobDetails> rows = new ArrayList<>(infos.size());
    for (JobInfo info : infos) {
      JobDetails facts = query.filter().apply(info, now);
      if (facts != null) {
        if (query.rows().perTask() && facts.job().array() instanceof ArrayPart.Waiting waiting) {
          addTasks(rows, facts, waiting);
        } else {
          add(rows, facts);
        }
      }
    }
    return rows;
  }

  private void addTasks(List<JobDetails> rows, JobDetails facts, ArrayPart.Waiting waiting) {
    Job job = facts.job();
    for (int index : waiting.waiting().toList()) {
      ArrayPart.Task task =
          new ArrayPart.Task(waiting.arrayJobId(), waiting.shape(), index, waiting.throttle());
      add(
          rows,
          new JobDetails(
              SqueueFilter.with(facts.info(), job.withArray(job.id(), task)), facts.now()));
    }
  }

  private void add(List<JobDetails> rows, JobDetails facts) {
    List<String> partitions = facts.spec().partitions();
    if (!query.rows().perPartition() || facts.allocation() != null || partitions.size() < 2) {
      rows.add(facts);
      return;
    }
    for (String partition : partitions) {
      rows.add(new JobDetails(facts.info(), facts.now(), partition));
    }
  }
}

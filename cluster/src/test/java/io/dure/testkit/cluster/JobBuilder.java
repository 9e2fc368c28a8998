package io.dure.testkit.cluster;

import io.dure.model.command.Command;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.SignalRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job to submit: one CPU, no limit, a script of a minute, unless it says otherwise. */
public final class JobBuilder {
  private @Nullable String mailType;
  private @Nullable String mailUser;
  private String name = "job";
  private List<String> environment = List.of("HOME=/home/user");
  private @Nullable String requestId;
  private List<String> partitions = List.of();
  private @Nullable String qos;
  private int nodes = 1;
  private int maxNodes;
  private int tasks = 1;
  private int cpus = 1;
  private MemoryRequest memory = new MemoryRequest.Default();
  private OversubscribeMode sharing = OversubscribeMode.DEFAULT;
  private List<String> nodeList = List.of();
  private @Nullable String features;
  private @Nullable String scriptFeatures;
  private TimeLimit limit = new TimeLimit.PartitionDefault();
  private @Nullable Instant begin;
  private @Nullable Instant deadline;
  private DependencyList dependency = DependencyList.NONE;
  private @Nullable String array;
  private @Nullable SignalRequest signal;
  private RequeuePolicy requeue = RequeuePolicy.DEFAULT;
  private @Nullable Long priority;
  private long nice;
  private @Nullable Boolean killOnInvalidDependency;
  private Script script = Script.MINUTE;
  private List<String> reservations = List.of();
  private List<String> options = List.of();
  private boolean survivesNodes;

  private JobBuilder() {}

  /** A job of one CPU. */
  public static JobBuilder job() {
    return new JobBuilder();
  }

  public JobBuilder name(String value) {
    name = value;
    return this;
  }

  /** {@code --reservation}. */
  public JobBuilder within(String... names) {
    reservations = List.of(names);
    return this;
  }

  public JobBuilder qos(String value) {
    qos = value;
    return this;
  }

  public JobBuilder partition(String... names) {
    partitions = List.of(names);
    return this;
  }

  /** Exactly that many nodes with one task each. */
  public JobBuilder nodes(int count) {
    nodes = count;
    maxNodes = count;
    tasks = Math.max(tasks, count);
    return this;
  }

  public JobBuilder tasks(int count) {
    tasks = count;
    return this;
  }

  /** CPUs for each task. */
  public JobBuilder cpus(int count) {
    cpus = count;
    return this;
  }

  /** Memory on each node, MiB. */
  public JobBuilder memory(long mib) {
    memory = new MemoryRequest.PerNode(mib);
    return this;
  }

  public JobBuilder exclusive() {
    sharing = OversubscribeMode.EXCLUSIVE;
    return this;
  }

  /** Asks to share cores. */
  public JobBuilder oversubscribe() {
    sharing = OversubscribeMode.OVERSUBSCRIBE;
    return this;
  }

  /** Must run on these nodes. */
  public JobBuilder on(String... names) {
    nodeList = List.of(names);
    return nodes(Math.max(nodes, names.length));
  }

  /** What its nodes have, and what that of the script should have. */
  public JobBuilder features(String ofAll, String ofScript) {
    features = ofAll;
    scriptFeatures = ofScript;
    return this;
  }

  /** Time limit in minutes. */
  public JobBuilder time(long minutes) {
    limit = TimeLimit.minutes(minutes);
    return this;
  }

  public JobBuilder begin(Instant value) {
    begin = value;
    return this;
  }

  public JobBuilder deadline(Instant value) {
    deadline = value;
    return this;
  }

  /** As {@code --dependency} takes it, one job for each condition. */
  public JobBuilder dependency(String text) {
    dependency = dependencies(text);
    return this;
  }

  public JobBuilder array(String indices) {
    array = indices;
    return this;
  }

  /** {@code --signal=B:SIGNAL@SECONDS}. */
  public JobBuilder signal(int number, int secondsBefore) {
    signal = new SignalRequest(number, secondsBefore, true);
    return this;
  }

  public JobBuilder requeue(boolean value) {
    requeue = value ? RequeuePolicy.YES : RequeuePolicy.NO;
    return this;
  }

  /** {@code --hold}. */
  public JobBuilder held() {
    priority = 0L;
    return this;
  }

  public JobBuilder priority(long value) {
    priority = value;
    return this;
  }

  public JobBuilder nice(long value) {
    nice = value;
    return this;
  }

  public JobBuilder killOnInvalidDependency() {
    killOnInvalidDependency = true;
    return this;
  }

  /** Runs that long unless it is ended. */
  public JobBuilder runs(long seconds) {
    script = new Script(seconds, script.end(), script.stubborn(), script.epilogFails());
    return this;
  }

  /** Ends in that way, see {@link Script#end}. */
  public JobBuilder ends(String how) {
    script = new Script(script.seconds(), how, script.stubborn(), script.epilogFails());
    return this;
  }

  /** Ignores SIGTERM. */
  public JobBuilder stubborn() {
    script = new Script(script.seconds(), script.end(), true, script.epilogFails());
    return this;
  }

  /** The epilog fails after it. */
  public JobBuilder epilogFails() {
    script = new Script(script.seconds(), script.end(), script.stubborn(), true);
    return this;
  }

  /** Conditions as {@code --dependency} takes them, one job for each condition. */
  public static DependencyList dependencies(String text) {
    List<Dependency> conditions = new ArrayList<>();
    for (String part : text.split("[,?]", -1)) {
      String[] words = part.split("[:+]", -1);
      DependencyType type = null;
      for (DependencyType candidate : DependencyType.values()) {
        type = candidate.word().equals(words[0]) ? candidate : type;
      }
      if (type == null) {
        throw new IllegalArgumentException(text);
      }
      String[] target = (words.length > 1 ? words[1] : "0").split("_", -1);
      Integer task = target.length > 1 ? Integer.valueOf(target[1]) : null;
      int delay = words.length > 2 ? Integer.parseInt(words[2]) : 0;
      conditions.add(new Dependency(type, Integer.parseInt(target[0]), task, delay));
    }
    return new DependencyList(conditions, text.contains("?"));
  }

  /** The request. */
  public JobSpec spec() {
    ResourceRequest resources =
        ResourceRequest.of(nodes, tasks, cpus)
            .with()
            .maxNodes(maxNodes == 0 ? Math.max(nodes, tasks) : maxNodes)
            .memory(memory)
            .sharing(sharing)
            .requiredNodes(nodeList)
            .features(features)
            .further(
                scriptFeatures == null
                    ? null
                    : ResourceRequest.RareOptions.NONE.withBatchFeatures(scriptFeatures))
            .build();
    return new JobSpec(
            name,
            partitions,
            null,
            qos,
            null,
            resources,
            limit,
            null,
            begin,
            deadline,
            dependency,
            ArrayRequest.of(array),
            signal,
            requeue,
            priority,
            nice,
            killOnInvalidDependency,
            mailType,
            mailUser,
            List.of(),
            0,
            List.of(),
            null,
            null,
            survivesNodes)
        .withReservations(reservations)
        .withAsked(options);
  }

  /** It goes on when it loses a node. */
  public JobBuilder survivesNodes() {
    survivesNodes = true;
    return this;
  }

  /** Mail is sent of these events, to that address or, where it is null, to the owner. */
  public JobBuilder mail(String types, @Nullable String address) {
    mailType = types;
    mailUser = address;
    return this;
  }

  /** Its variables. */
  public JobBuilder environment(String... assignments) {
    environment = List.of(assignments);
    return this;
  }

  /** Its submission. */
  public Command.SubmitJob submission() {
    JobTexts texts = JobTexts.of(script.text(), environment);
    return new Command.SubmitJob(spec(), batch(), texts, requestId);
  }

  /** It was asked for with that option, by its long name. */
  public JobBuilder option(String longName) {
    options = List.of(longName);
    return this;
  }

  /** Its submission has a name, and may come again. */
  public JobBuilder asked(String id) {
    requestId = id;
    return this;
  }

  /** What it runs. */
  public Workload.BatchSpec batch() {
    return Workload.BatchSpec.nothing("/tmp");
  }
}

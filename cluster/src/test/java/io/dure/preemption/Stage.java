package io.dure.preemption;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster of which a case tells in words. */
final class Stage {
  private final ClusterBuilder builder;
  private final List<AccountingChange> qos = new ArrayList<>();
  private final Map<String, Integer> ids = new TreeMap<>();
  private @Nullable TestCluster cluster;
  private boolean limited;

  /** A cluster of that many nodes of four cores. */
  Stage(int nodes) {
    builder = ClusterBuilder.of(nodes);
  }

  /** {@code Key=Value ...}. */
  void set(String settings) {
    for (String one : settings.split(" ", -1)) {
      int equals = one.indexOf('=');
      builder.set(one.substring(0, equals), one.substring(equals + 1));
    }
  }

  /** {@code NAME more of its line}. */
  void partition(String line) {
    int blank = line.indexOf(' ');
    builder.partition(line.substring(0, blank), "Nodes=ALL " + line.substring(blank + 1));
  }

  /** {@code NAME PRIORITY preempt=A,B mode=cancel grace=60 exempt=60 most=CPUS}. */
  void qos(String line) {
    Map<String, String> words = words(line);
    String[] first = line.split(" ", -1);
    Qos plain = Qos.plain(2 + qos.size(), first[0], "");
    String exempt = words.get("exempt");
    String most = words.get("most");
    limited |= most != null;
    qos.add(
        new AccountingChange.QosSet(
            new Qos(
                plain.id(),
                plain.name(),
                "",
                Long.parseLong(first[1]),
                List.of(),
                words.containsKey("preempt")
                    ? List.of(words.get("preempt").split(",", -1))
                    : List.of(),
                words.get("mode"),
                exempt == null ? null : Duration.ofSeconds(Long.parseLong(exempt)),
                Duration.ofSeconds(Long.parseLong(words.getOrDefault("grace", "0"))),
                1,
                null,
                null,
                most == null
                    ? plain.limits()
                    : AccountingLimits.NONE.with(
                        LimitKind.MAX_TRES_PER_USER, "cpu", Long.parseLong(most)))));
  }

  TestCluster cluster() {
    TestCluster known = cluster;
    if (known == null) {
      known = builder.start();
      cluster = known;
      if (!qos.isEmpty()) {
        if (limited) {
          account(known.state().accounts().nextAssociation());
        }
        long basis = known.state().accounts().version();
        Reply reply = known.ask(TestCluster.ROOT, new Command.ChangeAccounting(basis, qos));
        if (!(reply instanceof Reply.Done)) {
          throw new IllegalArgumentException(reply.toString());
        }
      }
    }
    return known;
  }

  /** Where limits hold a job belongs to an account, whose user may have all QOS. */
  private void account(int id) {
    qos.add(new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())));
    qos.add(new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")));
    qos.add(
        new AccountingChange.UserSet(
            new AccountUser(TestCluster.ALICE.identity().userName(), AdminLevel.NONE, "bio")));
    qos.add(
        new AccountingChange.AssociationSet(
            Association.ofUser(id + 1, "bio", TestCluster.ALICE.identity().userName(), null)));
  }

  private static Map<String, String> words(String line) {
    Map<String, String> words = new TreeMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      words.put(
          equals < 0 ? word : word.substring(0, equals),
          equals < 0 ? "" : word.substring(equals + 1));
    }
    return words;
  }

  /**
   * {@code NAME p=PARTITION q=QOS cpus=2 nodes=1 on=n1 mem=100 time=10 runs=600 exclusive shares
   * ...}.
   */
  void job(String line) {
    JobBuilder builder = JobBuilder.job().runs(36_000);
    words(line)
        .forEach((key, value) -> {
          switch (key) {
            case "p" -> builder.partition(value);
            case "q" -> builder.qos(value);
            case "cpus" -> builder.cpus(Integer.parseInt(value));
            case "nodes" -> builder.nodes(Integer.parseInt(value));
            case "on" -> builder.on(value);
            case "mem" -> builder.memory(Long.parseLong(value));
            case "time" -> builder.time(Long.parseLong(value));
            case "runs" -> builder.runs(Long.parseLong(value));
            case "exclusive" -> builder.exclusive();
            case "shares" -> builder.oversubscribe();
            case "norequeue" -> builder.requeue(false);
            case "stubborn" -> builder.stubborn();
            case "held" -> builder.held();
            case "array" -> builder.array(value);
            case "nice" -> builder.nice(Long.parseLong(value));
            case "signal" -> builder.signal(Integer.parseInt(value), 60);
            default -> {}
          }
        });
    String name = line.split(" ", -1)[0];
    ids.put(name, cluster().submit(TestCluster.ALICE, builder.name(name)));
  }

  /** What root asks of a job, null if it is not refused. */
  @Nullable ErrorCode act(String deed, String name) {
    JobSelector which = new JobSelector(ids.get(name), null);
    Command.UserCommand command =
        switch (deed) {
          case "suspend" -> new Command.SuspendJob(which);
          case "resume" -> new Command.ResumeJob(which);
          case "cancel" -> new Command.KillJob(which, null, false, false);
          case "requeue" -> new Command.RequeueJob(which, false, false, false);
          case "hold" -> new Command.HoldJob(which, false);
          case "release" -> new Command.ReleaseJob(which);
          default -> throw new IllegalArgumentException(deed);
        };
    return cluster().refusal(TestCluster.ROOT, command);
  }

  /** Its state, and why it waits: {@code PENDING/Resources}. */
  String state(String name) {
    int id = ids.get(name.split("_", -1)[0]);
    if (name.contains("_")) {
      id = cluster().task(id, Integer.parseInt(name.split("_", -1)[1])).id();
    }
    String state = cluster().state(id);
    return state.equals("PENDING") ? state + "/" + cluster().reason(id) : state;
  }

  int id(String name) {
    return ids.get(name);
  }
}

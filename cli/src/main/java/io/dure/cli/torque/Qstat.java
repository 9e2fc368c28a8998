package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ArrayTaskOrder;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsDependency;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Lists jobs and queues. */
public final class Qstat implements CliCommand {
  private static final Set<QstatOption> WIDE =
      EnumSet.of(
          QstatOption.ALTERNATE,
          QstatOption.WAITING,
          QstatOption.NODES,
          QstatOption.RUNNING,
          QstatOption.SIZES,
          QstatOption.USERS,
          QstatOption.GIGABYTES,
          QstatOption.MEGAWORDS);

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<QstatOption> parser = context.options(Qstat.class, "qstat-", QstatOption.values());
    Set<QstatOption> given = EnumSet.noneOf(QstatOption.class);
    String users = null;
    for (ParsedOption<QstatOption> option : parser.all()) {
      given.add(option.key());
      users = option.key() == QstatOption.USERS ? option.value() : users;
    }
    Response.Cluster cluster =
        PbsCall.ask(context, new Request.ShowCluster(), Response.Cluster.class);
    Request all = new Request.ListJobs(List.of(), null, true);
    Response.Jobs jobs = PbsCall.ask(context, all, Response.Jobs.class);
    List<PbsRow> rows = new ArrayList<>();
    ArrayTaskOrder.ofAll(jobs.jobs())
        .forEach(info -> rows.add(new PbsRow(new JobDetails(info, jobs.now()))));
    if (given.contains(QstatOption.QUEUES)
        || given.contains(QstatOption.LIMITS)
        || given.contains(QstatOption.SERVER)) {
      return queues(context, given, parser.operands(), cluster, rows);
    }
    List<PbsRow> chosen = new ArrayList<>();
    int code = chosen(context, parser.operands(), cluster, rows, chosen);
    chosen.removeIf(row -> !passes(row, given));
    if (users != null) {
      List<String> names = List.of(users.split(",", -1));
      chosen.removeIf(row -> names.stream().noneMatch(name -> isOf(row, name)));
    }
    print(context, given, cluster.clusterName(), chosen);
    return code;
  }

  private static boolean isOf(PbsRow row, String name) {
    int at = name.indexOf('@');
    return row.owner().equals(at < 0 ? name : name.substring(0, at));
  }

  private static boolean passes(PbsRow row, Set<QstatOption> given) {
    boolean runs = row.state() == 'R' || row.state() == 'S' || row.state() == 'E';
    if (given.contains(QstatOption.RUNNING)) {
      return runs;
    }
    return !given.contains(QstatOption.WAITING) || !runs && !row.isDone();
  }

  /** The jobs that words name: by number, or all of a queue; all without words. */
  private static int chosen(
      CommandContext context,
      List<String> words,
      Response.Cluster cluster,
      List<PbsRow> rows,
      List<PbsRow> chosen) {
    if (words.isEmpty()) {
      chosen.addAll(rows);
      return 0;
    }
    int code = 0;
    for (String word : words) {
      int at = word.indexOf('@');
      String name = at < 0 ? word : word.substring(0, at);
      boolean queue = cluster.partitions().stream().anyMatch(one -> one.name().equals(name));
      List<PbsRow> found =
          rows.stream()
              .filter(row -> queue ? row.queue().equals(name) : isNamed(row, word))
              .toList();
      if (found.isEmpty() && !queue && !name.isEmpty()) {
        code = new PbsCall(context).failed("Unknown Job Id " + word, PbsCall.UNKNOWN_JOB);
      }
      chosen.addAll(name.isEmpty() ? rows : found);
    }
    return code;
  }

  private static boolean isNamed(PbsRow row, String word) {
    String job = PbsDependency.job(word);
    String own = PbsDependency.job(row.id());
    return own.equals(job)
        || Integer.toString(row.details().job().id()).equals(job)
        || own.startsWith(job + "_");
  }

  private static int queues(
      CommandContext context,
      Set<QstatOption> given,
      List<String> words,
      Response.Cluster cluster,
      List<PbsRow> rows) {
    String server = cluster.clusterName();
    List<PartitionConfig> queues =
        cluster.partitions().stream()
            .filter(one -> words.isEmpty() || words.contains(one.name()))
            .filter(one -> !cluster.unlisted().contains(one.name()))
            .toList();
    String text;
    if (given.contains(QstatOption.LIMITS)) {
      text = PbsTables.limits(server, queues, rows);
    } else if (given.contains(QstatOption.SERVER)) {
      text = PbsTables.server(server, rows);
    } else if (given.contains(QstatOption.FULL)) {
      text = PbsAttributes.queues(queues, rows);
    } else {
      text = PbsTables.counts(queues, rows);
    }
    context.out().print(text);
    return 0;
  }

  private static void print(
      CommandContext context, Set<QstatOption> given, String server, List<PbsRow> rows) {
    PbsAttributes attributes = new PbsAttributes(server, context.clock().zone());
    if (given.contains(QstatOption.XML)) {
      context.out().print(attributes.xml(rows));
    } else if (given.contains(QstatOption.FULL)) {
      context.out().print(attributes.full(rows));
    } else if (rows.isEmpty()) {
      return;
    } else if (given.stream().anyMatch(WIDE::contains)) {
      boolean nodes = given.contains(QstatOption.NODES);
      boolean oneLine = given.contains(QstatOption.ONE_LINE);
      context.out().print(PbsTables.wide(server, rows, nodes, oneLine));
    } else {
      context.out().print(PbsTables.brief(rows));
    }
  }
}

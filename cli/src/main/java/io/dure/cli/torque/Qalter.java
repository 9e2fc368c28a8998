package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scontrol.Scontrol;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsDependency;
import io.dure.surface.pbs.PbsJob;
import io.dure.surface.pbs.QsubOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Changes jobs, with the options of {@code qsub}. */
public final class Qalter implements CliCommand {
  private static final Pattern HOLD = Pattern.compile("-h[nosu]+");

  @Override
  public int execute(CommandContext context) throws CommandException {
    List<String> words = new ArrayList<>();
    String hold = taken(context.arguments(), words);
    CallOptions<QsubOption> parser =
        context.withArguments(words).options(Qalter.class, "qalter-", QsubOption.values());
    PbsJob job = new PbsJob(context.clock());
    for (ParsedOption<QsubOption> option : parser.all()) {
      job.set(option.key(), option.value());
    }
    List<String> jobs = parser.operands();
    if (jobs.isEmpty()) {
      context.err().print(parser.usage());
      return 2;
    }
    List<String> changes = changes(context, job);
    PbsCall call = new PbsCall(context);
    int code = 0;
    for (String one : jobs) {
      String id = PbsDependency.job(one);
      if (!changes.isEmpty()) {
        List<String> update = new ArrayList<>(List.of("update", "JobId=" + id));
        update.addAll(changes);
        int failed = call.about(one, new Scontrol(), "scontrol", update);
        code = failed == 0 ? code : failed;
      }
      if (!hold.isEmpty()) {
        String verb = hold.contains("n") ? "release" : hold.contains("u") ? "uhold" : "hold";
        int failed = call.about(one, new Scontrol(), "scontrol", List.of(verb, id));
        code = failed == 0 ? code : failed;
      }
    }
    return code;
  }

  /** Takes out the hold: {@code -h u}, with an argument that {@code -h} of qsub does not have. */
  private static String taken(List<String> words, List<String> left) {
    String hold = "";
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("-h") && i + 1 < words.size()) {
        i++;
        hold = words.get(i);
      } else if (HOLD.matcher(word).matches()) {
        hold = word.substring(2);
      } else {
        left.add(word);
      }
    }
    return hold;
  }

  /** What {@code scontrol update} is told, from what {@code sbatch} would be told. */
  private static List<String> changes(CommandContext context, PbsJob job) throws CommandException {
    List<String> changes = new ArrayList<>();
    List<String> words = new ArrayList<>(job.words());
    if (job.has(QsubOption.OUTPUT)) {
      changes.add("StdOut=" + job.value(QsubOption.OUTPUT));
    }
    if (job.has(QsubOption.ERROR)) {
      changes.add("StdErr=" + job.value(QsubOption.ERROR));
    }
    if (job.has(QsubOption.RERUNNABLE)) {
      changes.add("Requeue=" + (job.value(QsubOption.RERUNNABLE).startsWith("n") ? "0" : "1"));
    }
    for (String word : words) {
      int equals = word.indexOf('=');
      String value = equals < 0 ? "" : word.substring(equals + 1);
      String key = key(equals < 0 ? word : word.substring(0, equals));
      if (!key.isEmpty()) {
        changes.add(key + "=" + value);
      } else if (!word.equals("--hold")) {
        context.report(StderrMessage.info(word + " cannot be changed and is passed over"));
      }
    }
    for (String one : job.passedOver()) {
      context.report(StderrMessage.info(one + " has no equal here and is passed over"));
    }
    return changes;
  }

  private static String key(String option) {
    return switch (option) {
      case "--account" -> "Account";
      case "--begin" -> "StartTime";
      case "--constraint" -> "Features";
      case "--cpus-per-task" -> "CPUsPerTask";
      case "--dependency" -> "Dependency";
      case "--gres" -> "Gres";
      case "--job-name" -> "JobName";
      case "--licenses" -> "Licenses";
      case "--mail-type" -> "MailType";
      case "--mail-user" -> "MailUser";
      case "--mem" -> "MinMemoryNode";
      case "--mem-per-cpu" -> "MinMemoryCPU";
      case "--nice" -> "Nice";
      case "--nodelist" -> "ReqNodeList";
      case "--nodes" -> "NumNodes";
      case "--ntasks" -> "NumTasks";
      case "--ntasks-per-node" -> "TasksPerNode";
      case "--partition" -> "Partition";
      case "--qos" -> "QOS";
      case "--reservation" -> "ReservationName";
      case "--time" -> "TimeLimit";
      case "--tmp" -> "MinTmpDiskNode";
      case "--wckey" -> "WCKey";
      default -> "";
    };
  }
}

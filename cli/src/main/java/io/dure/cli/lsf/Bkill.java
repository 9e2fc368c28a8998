package io.dure.cli.lsf;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scancel.Scancel;
import io.dure.surface.lsf.LsfJobName;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cancels jobs, or sends them signals. */
public final class Bkill implements CliCommand {
  /** Stands for all jobs that the options mean. */
  private static final String EVERY = "0";

  private static final String SIGNALS =
      "HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 URG CONT STOP TSTP TTIN TTOU\n";

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<BkillOption> parser = context.options(Bkill.class, "bkill-", BkillOption.values());
    Map<BkillOption, String> given = new EnumMap<>(BkillOption.class);
    for (ParsedOption<BkillOption> option : parser.all()) {
      given.put(option.key(), Objects.requireNonNullElse(option.value(), ""));
    }
    if (given.containsKey(BkillOption.LIST)) {
      context.out().print(SIGNALS);
      return 0;
    }
    List<String> words = parser.operands();
    boolean filtered =
        given.containsKey(BkillOption.NAME)
            || given.containsKey(BkillOption.QUEUE)
            || given.containsKey(BkillOption.USER)
            || given.containsKey(BkillOption.HOST);
    if (words.isEmpty() && !filtered) {
      throw LsfAnswers.failure("Job ID or an option that means jobs is required (-h)");
    }
    List<LsfRow> all = LsfAnswers.jobs(context);
    String signal = given.get(BkillOption.SIGNAL);
    int code = 0;
    for (String word : words) {
      if (!word.equals(EVERY)) {
        int failed = named(context, all, word, signal);
        code = failed == 0 ? code : failed;
      }
    }
    if (words.isEmpty() || words.contains(EVERY)) {
      TreeSet<Integer> jobs = new TreeSet<>();
      for (LsfRow row : all) {
        if (!row.isOver() && isMeant(context, row, given)) {
          jobs.add(row.details().job().baseId());
        }
      }
      if (jobs.isEmpty()) {
        throw LsfAnswers.failure("No matching job found");
      }
      for (int job : jobs) {
        int failed = kill(context, Integer.toString(job), Integer.toString(job), signal);
        code = failed == 0 ? code : failed;
      }
    }
    return code;
  }

  private static boolean isMeant(
      CommandContext context, LsfRow row, Map<BkillOption, String> given) {
    String user = given.get(BkillOption.USER);
    String name = given.get(BkillOption.NAME);
    String queue = given.get(BkillOption.QUEUE);
    String host = given.get(BkillOption.HOST);
    boolean own =
        user == null
            ? row.details().job().owner().uid() == context.caller().uid()
            : user.equals("all") || user.equals(row.user());
    return own
        && (name == null || LsfJobName.of(name).name().equals(row.details().spec().name()))
        && (queue == null || queue.equals(row.queue()))
        && (host == null
            || row.hosts().stream().anyMatch(one -> one.equals(host) || one.endsWith("*" + host)));
  }

  private static int named(
      CommandContext context, List<LsfRow> all, String word, @Nullable String signal) {
    List<LsfRow> found = all.stream().filter(row -> row.isNamed(word)).toList();
    if (found.isEmpty()) {
      return failed(context, word, "No matching job found");
    }
    if (found.stream().allMatch(LsfRow::isOver)) {
      return failed(context, word, "Job has already finished");
    }
    return kill(context, word, LsfJobName.job(word), signal);
  }

  private static int failed(CommandContext context, String word, String text) {
    context.report(StderrMessage.plain("Job <" + word + ">: " + text));
    return LsfAnswers.FAILED;
  }

  private static int kill(
      CommandContext context, String word, String job, @Nullable String signal) {
    List<String> words = new ArrayList<>();
    if (signal != null) {
      words.addAll(List.of("-s", signal));
    }
    words.add(job);
    CapturedCall call = CapturedCall.of(new Scancel(), context, "scancel", words);
    if (call.code() != 0 || !call.complaints().isEmpty()) {
      String text = call.complaints().strip();
      return failed(context, word, text.substring(text.lastIndexOf(": ") + 1).strip());
    }
    String done = signal == null ? "terminated" : "signaled";
    context.out().print("Job <" + word + "> is being " + done + "\n");
    return 0;
  }
}

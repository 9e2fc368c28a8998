package io.dure.cli.lsf;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists jobs. */
public final class Bjobs implements CliCommand {
  private static final String NO_HEADER = "-noheader";

  @Override
  public int execute(CommandContext context) throws CommandException {
    // The one option of LSF with one dash and many letters.
    List<String> words =
        context.arguments().stream()
            .map(word -> word.equals(NO_HEADER) ? "-" + NO_HEADER : word)
            .toList();
    CallOptions<BjobsOption> parser =
        context.withArguments(words).options(Bjobs.class, "bjobs-", BjobsOption.values());
    Map<BjobsOption, String> given = new EnumMap<>(BjobsOption.class);
    for (ParsedOption<BjobsOption> option : parser.all()) {
      given.put(option.key(), Objects.requireNonNullElse(option.value(), ""));
    }
    List<LsfRow> all = LsfAnswers.jobs(context);
    List<LsfRow> rows = new ArrayList<>();
    int code = 0;
    for (String word : parser.operands()) {
      List<LsfRow> found = all.stream().filter(row -> row.isNamed(word)).toList();
      if (found.isEmpty()) {
        context.report(StderrMessage.plain("Job <" + word + "> is not found"));
        code = LsfAnswers.FAILED;
      }
      rows.addAll(found);
    }
    if (parser.operands().isEmpty()) {
      all.stream().filter(row -> passes(context, row, given)).forEach(rows::add);
      if (rows.isEmpty()) {
        boolean every = given.containsKey(BjobsOption.ALL) || given.containsKey(BjobsOption.DONE);
        throw LsfAnswers.failure(every ? "No job found" : "No unfinished job found");
      }
    }
    if (!rows.isEmpty()) {
      print(context, given, rows);
    }
    return code;
  }

  private static boolean passes(
      CommandContext context, LsfRow row, Map<BjobsOption, String> given) {
    String user = given.get(BjobsOption.USER);
    boolean own =
        user == null
            ? row.details().job().owner().uid() == context.caller().uid()
            : user.equals("all") || List.of(user.split("\\s+", -1)).contains(row.user());
    return own
        && matches(given.get(BjobsOption.QUEUE), row.queue())
        && matches(given.get(BjobsOption.NAME), row.details().spec().name())
        && onHost(given.get(BjobsOption.HOST), row)
        && inState(given, row);
  }

  private static boolean matches(@Nullable String wanted, String has) {
    if (wanted == null) {
      return true;
    }
    return wanted.endsWith("*")
        ? has.startsWith(wanted.substring(0, wanted.length() - 1))
        : wanted.equals(has);
  }

  private static boolean onHost(@Nullable String host, LsfRow row) {
    return host == null
        || row.hosts().stream().anyMatch(one -> one.equals(host) || one.endsWith("*" + host));
  }

  private static boolean inState(Map<BjobsOption, String> given, LsfRow row) {
    if (given.containsKey(BjobsOption.ALL)) {
      return true;
    }
    List<String> states = new ArrayList<>();
    if (given.containsKey(BjobsOption.DONE)) {
      states.addAll(List.of("DONE", "EXIT"));
    }
    if (given.containsKey(BjobsOption.PENDING)) {
      states.addAll(List.of("PEND", "PSUSP"));
    }
    if (given.containsKey(BjobsOption.RUNNING)) {
      states.add("RUN");
    }
    if (given.containsKey(BjobsOption.SUSPENDED)) {
      states.addAll(List.of("SSUSP", "PSUSP"));
    }
    return states.isEmpty() ? !row.isOver() : states.contains(row.state());
  }

  private static void print(
      CommandContext context, Map<BjobsOption, String> given, List<LsfRow> rows)
      throws CommandException {
    LsfTables tables = new LsfTables(context.clock().zone());
    boolean header = !given.containsKey(BjobsOption.NO_HEADER);
    String format = given.get(BjobsOption.FORMAT);
    if (given.containsKey(BjobsOption.LONG)) {
      context.out().print(tables.full(rows));
    } else if (format == null) {
      context.out().print(tables.table(rows, given.containsKey(BjobsOption.WIDE), header));
    } else {
      String text = tables.columns(rows, format, header);
      if (text == null) {
        throw LsfAnswers.failure("bjobs: a field of '" + format + "' is unknown (-h)");
      }
      context.out().print(text);
    }
  }
}

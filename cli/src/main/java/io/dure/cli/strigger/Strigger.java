package io.dure.cli.strigger;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.Question;
import io.dure.model.HostList;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerChange;
import io.dure.model.hook.TriggerKind;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.TriggerCriteria;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.show.TriggerText;
import io.dure.surface.value.DigitParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sets, lists and clears programs that run when something happens. */
public final class Strigger implements CliCommand {
  private static final String ONE =
      "You must use exactly one of the following options: --set, --get or --clear";

  private static final int LONGEST_OFFSET = 32_768;

  /** What is asked for. */
  private static final class Call {
    private final List<StriggerOption> modes = new ArrayList<>();
    private final List<TriggerKind> kinds = new ArrayList<>();
    private @Nullable Integer id;
    private @Nullable Integer job;
    private @Nullable String nodes;
    private @Nullable String user;
    private @Nullable String program;
    private @Nullable String clusters;
    private int offset;
    private boolean permanent;
    private boolean header = true;
    private boolean quiet;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = new Call();
    CallOptions<StriggerOption> parser = context.options(Strigger.class, StriggerOption.values());
    for (ParsedOption<StriggerOption> option = parser.next();
        option != null;
        option = parser.next()) {
      take(call, option.key(), Objects.requireNonNullElse(option.value(), ""));
    }
    if (call.modes.size() != 1) {
      throw CommandException.error(ONE);
    }
    switch (call.modes.getFirst()) {
      case SET -> set(context, call);
      case CLEAR -> clear(context, call);
      default -> list(context, call);
    }
    return 0;
  }

  private static void take(Call call, StriggerOption option, String value) throws CommandException {
    TriggerKind kind = option.kind();
    if (kind != null) {
      call.kinds.add(kind);
      return;
    }
    switch (option) {
      case SET, GET, CLEAR -> call.modes.add(option);
      case FLAGS -> flags(call, value);
      case ID -> call.id = number(value, "Invalid trigger id: ");
      case JOB -> call.job = number(value, "Invalid job id: ");
      case NODE -> call.nodes = value.isEmpty() ? "*" : hosts(value);
      case OFFSET -> call.offset = offset(value);
      case PROGRAM -> call.program = value;
      case USER -> call.user = value;
      case CLUSTER -> call.clusters = value;
      case NO_HEADER -> call.header = false;
      case QUIET -> call.quiet = true;
      default -> {}
    }
  }

  private static void flags(Call call, String value) throws CommandException {
    for (String word : value.split(",", -1)) {
      if (!word.toLowerCase(Locale.ROOT).equals("perm")) {
        throw CommandException.error("Invalid flags: " + value);
      }
    }
    call.permanent = true;
  }

  private static int number(String value, String wrong) throws CommandException {
    long number = DigitParser.parse(value, Integer.MAX_VALUE);
    if (number <= 0) {
      throw CommandException.error(wrong + value);
    }
    return (int) number;
  }

  private static String hosts(String value) throws CommandException {
    try {
      return HostList.compress(HostList.expand(value));
    } catch (IllegalArgumentException e) {
      throw CommandException.error("Invalid node list: " + value);
    }
  }

  private static int offset(String value) throws CommandException {
    boolean before = value.startsWith("-");
    long seconds =
        DigitParser.parse(
            before || value.startsWith("+") ? value.substring(1) : value, LONGEST_OFFSET);
    if (seconds < 0) {
      throw CommandException.error("Invalid offset: " + value);
    }
    return (int) (before ? -seconds : seconds);
  }

  private static void set(CommandContext context, Call call) throws CommandException {
    if (call.kinds.isEmpty()) {
      throw CommandException.error(
          "You must specify a trigger (--down, --up, --fini, --time, etc.)");
    }
    String program = call.program;
    if (program == null) {
      throw CommandException.error("You must specify a program to execute with --program");
    }
    if (!program.startsWith("/")) {
      throw CommandException.error("The path to the program must be fully qualified");
    }
    boolean ofJob =
        call.kinds.contains(TriggerKind.JOB_ENDED)
            || call.kinds.contains(TriggerKind.JOB_TIME_LIMIT);
    if (ofJob && call.job == null) {
      throw CommandException.error("You must specify a --jobid with --fini or --time");
    }
    if (call.job != null && call.nodes != null) {
      throw CommandException.error("You can not use both the --node and --jobid options together.");
    }
    Trigger.Wish wish =
        new Trigger.Wish(
            call.job,
            call.nodes == null ? "*" : call.nodes,
            call.kinds.stream().distinct().toList(),
            call.offset,
            program,
            call.permanent);
    change(context, call, "slurm_set_trigger", new TriggerChange.SetTrigger(wish));
  }

  private static void clear(CommandContext context, Call call) throws CommandException {
    String user = call.user;
    if (call.id == null && call.job == null && user == null) {
      throw CommandException.error("You must specify a --id, --jobid, or --user to clear");
    }
    change(
        context,
        call,
        "slurm_clear_trigger",
        new TriggerChange.ClearTriggers(call.id, call.job, user));
  }

  private static void change(CommandContext context, Call call, String what, TriggerChange change)
      throws CommandException {
    Request.Change named =
        new ChangeIdGenerator(context.caller()).named(new Command.ChangeTriggers(change), null);
    Response.Decided decided =
        Question.ask(
            context,
            reason -> CommandException.plain(what + ": " + reason),
            call.clusters,
            named,
            Response.Decided.class);
    if (decided.reply() instanceof Reply.Refused refused) {
      throw call.quiet
          ? CommandException.plain()
          : CommandException.plain(what + ": " + refused.code().text());
    }
  }

  private static void list(CommandContext context, Call call) throws CommandException {
    Response.Text text =
        Question.ask(
            context,
            reason -> CommandException.plain("slurm_get_triggers: " + reason),
            call.clusters,
            new Request.ShowTriggers(
                new TriggerCriteria(
                    call.id,
                    call.job,
                    Objects.requireNonNullElse(call.nodes, ""),
                    call.user,
                    call.kinds)),
            Response.Text.class);
    if (call.header) {
      context.out().println(TriggerText.HEADER);
    }
    text.lines().forEach(context.out()::println);
  }
}

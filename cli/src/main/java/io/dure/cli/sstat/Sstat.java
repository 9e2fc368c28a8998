package io.dure.cli.sstat;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.model.step.StepName;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Lists what the tasks of running steps have used so far. */
public final class Sstat implements CliCommand {
  private static final int COLUMNS = 4;
  private static final int COLUMN_WIDTH = 19;

  @Override
  public int execute(CommandContext context) throws CommandException {
    SstatCall call = new SstatCall();
    read(context, call);
    String usual = call.processes ? StepUsageFields.PROCESSES : StepUsageFields.USUAL;
    List<String> unknown = new ArrayList<>();
    List<AccountingField<StepUsageRow>> fields =
        AccountingField.parse(
            StepUsageFields.ALL, Objects.requireNonNullElse(call.format, usual), unknown);
    if (fields == null) {
      throw CommandException.error("Invalid field requested: \"" + unknown.getFirst() + "\"");
    }
    if (call.steps.isEmpty()) {
      throw CommandException.error("You didn't give me any jobs to stat.");
    }
    List<StepUsageRow> rows = new StepUsageQuery(context, call).rows();
    context.out().print(new AccountingTable(call.style, call.header).text(fields, rows));
    return 0;
  }

  private static void read(CommandContext context, SstatCall call) throws CommandException {
    CallOptions<SstatOption> parser = context.options(Sstat.class, SstatOption.values());
    for (ParsedOption<SstatOption> option = parser.next(); option != null; option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case HELP, USAGE, VERSION -> {}
        case HELP_FORMAT -> {
          context.out().print(fieldNames());
          throw CommandException.done();
        }
        case ALL_STEPS -> call.all = true;
        case PID_FORMAT -> call.processes = true;
        case JOBS -> steps(value, call);
        case NO_HEADER -> call.header = false;
        case NO_CONVERT -> call.plain = true;
        case FORMAT -> call.format = value;
        case PARSABLE -> call.style = AccountingTable.Style.BARS_AND_END;
        case PARSABLE2 -> call.style = AccountingTable.Style.BARS;
        case VERBOSE -> {}
      }
    }
    for (String operand : parser.operands()) {
      steps(operand, call);
    }
  }

  private static void steps(String list, SstatCall call) throws CommandException {
    for (String word : KeywordParser.list(list)) {
      JobReference step = JobReference.parse(word);
      int dot = word.indexOf('.');
      String job = dot < 0 ? word : word.substring(0, dot);
      if (step == null) {
        boolean badStep = dot >= 0 && JobReference.parse(job) != null;
        throw badStep ? badStep(job) : CommandException.fatal("Bad job/step specified: " + word);
      }
      String name = step.step();
      if (name != null && StepName.parse(name) == null) {
        throw badStep(job);
      }
      call.steps.add(step);
    }
  }

  private static CommandException badStep(String job) {
    return CommandException.fatal("Bad step specified: " + job);
  }

  private static String fieldNames() {
    List<AccountingField<StepUsageRow>> fields = new ArrayList<>(StepUsageFields.ALL);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.get(i).header();
      boolean ends = i % COLUMNS == COLUMNS - 1 || i == fields.size() - 1;
      out.append(name).repeat(' ', Math.max(0, COLUMN_WIDTH - name.length()));
      out.append(ends ? "\n" : " ");
    }
    return out.toString();
  }
}

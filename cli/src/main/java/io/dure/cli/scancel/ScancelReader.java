package io.dure.cli.scancel;

import io.dure.cli.command.CommandContext;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.KillFilter;
import io.dure.model.step.StepName;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.SignalParser;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Works out what is to be cancelled from variables, options and operands; one call's worth. */
final class ScancelReader {

  private static final List<ScancelOption> VARIABLES =
      List.of(
          ScancelOption.ACCOUNT,
          ScancelOption.BATCH,
          ScancelOption.CRON,
          ScancelOption.CTLD,
          ScancelOption.FULL,
          ScancelOption.HURRY,
          ScancelOption.INTERACTIVE,
          ScancelOption.NAME,
          ScancelOption.PARTITION,
          ScancelOption.QOS,
          ScancelOption.STATE,
          ScancelOption.USER,
          ScancelOption.VERBOSE,
          ScancelOption.WCKEY,
          ScancelOption.CLUSTERS);

  private final CommandContext context;
  private final Map<ScancelOption, String> values = new EnumMap<>(ScancelOption.class);
  private int verbosity;

  ScancelReader(CommandContext context) {
    this.context = context;
  }

  ScancelRequest read(List<ParsedOption<ScancelOption>> options, List<String> operands)
      throws CommandException {
    for (ScancelOption option : VARIABLES) {
      String text = context.environment().get(option.variable());
      if (text != null) {
        fromVariable(option, text);
      }
    }
    for (ParsedOption<ScancelOption> option : options) {
      set(option.key(), option.value() == null ? "" : option.value());
    }
    Integer signal = signal();
    KillFilter filter = filter();
    List<JobReference> jobs = jobs(operands);
    if (jobs.isEmpty() && !filter.isSet()) {
      throw CommandException.error("No job identification provided");
    }
    boolean batch = values.containsKey(ScancelOption.BATCH);
    return new ScancelRequest(
        jobs,
        filter,
        signal == null && batch ? Integer.valueOf(SignalParser.number("KILL")) : signal,
        batch,
        values.containsKey(ScancelOption.FULL),
        values.containsKey(ScancelOption.INTERACTIVE),
        values.containsKey(ScancelOption.QUIET) ? -1 : verbosity,
        values.get(ScancelOption.CLUSTERS),
        values.get(ScancelOption.ADMIN_COMMENT),
        values.containsKey(ScancelOption.CRON));
  }

  private void fromVariable(ScancelOption option, String text) {
    if (option.form().endsWith("=")) {
      set(option, text);
      return;
    }
    String word = text.toLowerCase(Locale.ROOT);
    boolean on = word.startsWith("t") || word.equals("1") || word.equals("yes");
    if (option == ScancelOption.VERBOSE) {
      boolean counted = !word.isEmpty() && word.chars().allMatch(Character::isDigit);
      verbosity = counted ? Math.min(9, word.charAt(0) - '0') : on ? 1 : 0;
    } else if (on) {
      set(option, "");
    }
  }

  private void set(ScancelOption option, String text) {
    if (option == ScancelOption.VERBOSE) {
      verbosity++;
    } else {
      values.put(option, text);
    }
  }

  private @Nullable Integer signal() throws CommandException {
    String text = values.get(ScancelOption.SIGNAL);
    if (text == null) {
      return null;
    }
    int signal = SignalParser.number(text);
    if (signal == 0) {
      throw CommandException.plain("Unknown job signal: " + text);
    }
    return signal;
  }

  private KillFilter filter() throws CommandException {
    String user = values.get(ScancelOption.USER);
    boolean number = user != null && !user.isEmpty() && user.chars().allMatch(Character::isDigit);
    if (user != null && !number && !context.caller().knowsUser(user)) {
      throw CommandException.error("Invalid user name: " + user);
    }
    return new KillFilter(
        values.get(ScancelOption.ACCOUNT),
        values.get(ScancelOption.NAME),
        values.get(ScancelOption.PARTITION),
        values.get(ScancelOption.QOS),
        user,
        values.containsKey(ScancelOption.ME) ? context.caller().uid() : null,
        phase(),
        nodes(),
        values.get(ScancelOption.WCKEY),
        false,
        values.get(ScancelOption.RESERVATION));
  }

  private KillFilter.@Nullable Phase phase() throws CommandException {
    String text = values.get(ScancelOption.STATE);
    if (text == null) {
      return null;
    }
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "PENDING", "PD" -> KillFilter.Phase.PENDING;
      case "RUNNING", "R" -> KillFilter.Phase.RUNNING;
      case "SUSPENDED", "S" -> KillFilter.Phase.SUSPENDED;
      default ->
          throw CommandException.plain(
              "Invalid job state specified: " + text,
              "Valid job states are PENDING, RUNNING, and SUSPENDED");
    };
  }

  private List<String> nodes() throws CommandException {
    String text = values.get(ScancelOption.NODELIST);
    if (text == null) {
      return List.of();
    }
    try {
      return HostList.expand(text);
    } catch (HostListException e) {
      throw CommandException.error("Invalid node name specified: " + e.getMessage());
    }
  }

  private static List<JobReference> jobs(List<String> operands) throws CommandException {
    List<JobReference> jobs = new ArrayList<>();
    for (String operand : operands) {
      JobReference job = JobReference.parse(operand);
      String step = job == null ? null : job.step();
      if (job == null || step != null && !isNumber(step)) {
        throw CommandException.error("Invalid job id " + operand);
      }
      jobs.add(job);
    }
    return jobs;
  }

  private static boolean isNumber(String step) {
    return StepName.parse(step) instanceof StepName.NumberedStep;
  }
}

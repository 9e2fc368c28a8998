package io.dure.cli.scrontab;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.model.command.CrontabChange;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.scrontab.CrontabFile;
import io.dure.surface.value.DigitParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets, edits, lists and removes a user's crontab. */
public final class Scrontab implements CliCommand {

  /** What is asked for. */
  private static final class Call {
    private final List<ScrontabOption> modes = new ArrayList<>();
    private @Nullable String user;
    private boolean verbose;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = new Call();
    CallOptions<ScrontabOption> parser = context.options(Scrontab.class, ScrontabOption.values());
    for (ParsedOption<ScrontabOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case EDIT, LIST, REMOVE -> call.modes.add(option.key());
        case USER -> call.user = option.value();
        case VERBOSE -> call.verbose = true;
        case HELP, USAGE, VERSION -> {}
      }
    }
    List<String> files = parser.operands();
    if (call.modes.size() + files.size() != 1) {
      throw CommandException.error("Exactly one of -e, -l, -r and a file is needed");
    }
    ControllerCrontab controller = new ControllerCrontab(context, other(context, call.user));
    return switch (call.modes.isEmpty() ? null : call.modes.getFirst()) {
      case LIST -> list(context, call, controller);
      case REMOVE -> {
        controller.replace(new CrontabChange("", List.of()));
        yield 0;
      }
      case EDIT -> edit(context, controller);
      case null, default -> {
        String text = CrontabInput.read(context, files.getFirst());
        // Whether there are crontabs at all is told before anything of this one.
        controller.text();
        CrontabFaults faults = controller.install(CrontabFile.read(text));
        if (faults != null) {
          throw failure(faults);
        }
        yield 0;
      }
    };
  }

  /** The login name of the user that is named, null for the caller. */
  private static @Nullable String other(CommandContext context, @Nullable String user)
      throws CommandException {
    if (user == null) {
      return null;
    }
    if (!context.caller().knowsUser(user)) {
      throw CommandException.error("Invalid user name: " + user);
    }
    long uid = DigitParser.parse(user, Integer.MAX_VALUE);
    String name = uid < 0 ? user : context.caller().loginName((int) uid);
    return name.equals(context.caller().loginName(context.caller().uid())) ? null : name;
  }

  private static int list(CommandContext context, Call call, ControllerCrontab controller)
      throws CommandException {
    String text = controller.text();
    if (text.isEmpty()) {
      throw CommandException.error("no crontab for " + controller.owner());
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    context.out().write(bytes, 0, bytes.length);
    if (call.verbose) {
      context.report(StderrMessage.info("crontab of " + controller.owner()));
    }
    return 0;
  }

  private static int edit(CommandContext context, ControllerCrontab controller)
      throws CommandException {
    String known = controller.text();
    String text = known.isEmpty() ? HelpText.of(Scrontab.class, "example.txt") : known;
    try (EditedFile file = EditedFile.make(context)) {
      for (int time = 1; ; time++) {
        String edited = file.edited(text);
        if (edited.equals(text)) {
          context.report(StderrMessage.info("no changes made to the crontab"));
          if (time > 1) {
            // With its marks it would be another one than the user wrote.
            return 1;
          }
          file.done();
          return 0;
        }
        CrontabFile crontab = CrontabFile.read(edited);
        CrontabFaults faults = controller.install(crontab);
        if (faults == null) {
          file.done();
          return 0;
        }
        faults.messages().forEach(context::report);
        context.out().print("There are errors in your crontab.\n");
        if (!faults.problems().isEmpty()) {
          context.out().print("The failing lines are commented out with #BAD:\n");
        }
        if (!again(context)) {
          throw new CommandException(1, List.of());
        }
        text = crontab.marked(faults.problems());
      }
    }
  }

  private static CommandException failure(CrontabFaults faults) {
    return new CommandException(1, faults.messages())
        .and(StderrMessage.plain("There are errors in your crontab."));
  }

  private static boolean again(CommandContext context) throws CommandException {
    try {
      while (true) {
        context.out().print("Do you want to retry the edit? (y/n) ");
        context.out().flush();
        int first = context.in().read();
        for (int c = first; c >= 0 && c != '\n'; ) {
          c = context.in().read();
        }
        if (first == 'y' || first == 'Y') {
          return true;
        }
        if (first < 0 || first == 'n' || first == 'N') {
          return false;
        }
      }
    } catch (IOException e) {
      throw CommandException.error("Unable to read standard input: " + e.getMessage());
    }
  }
}

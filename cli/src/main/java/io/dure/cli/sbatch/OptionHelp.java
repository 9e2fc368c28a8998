package io.dure.cli.sbatch;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What options print that are asked for {@code help} in place of a value; no job is submitted. */
final class OptionHelp implements SbatchSettings.Check {
  private static final String HINTS =
      """
      Application hint options:
          --hint=             Bind tasks according to application hints
              compute_bound   use all cores in each socket
              memory_bound    use only one core in each socket
              [no]multithread [don't] use extra threads with in-core multi-threading
              help            show this help message
      """;

  private static final String MEMORY_BINDS =
      """
      Memory bind options:
          --mem-bind=         Bind memory to locality domains (ldom)
              nosort          avoid sorting pages at startup
              sort            sort pages at startup
              q[uiet]         quietly bind before task runs (default)
              v[erbose]       verbosely report binding before task runs
              no[ne]          don't bind tasks to memory (default)
              rank            bind by task rank
              local           bind to memory local to processor
              map_mem:<list>  specify a memory binding for each task
                              where <list> is <cpuid1>,<cpuid2>,...<cpuidN>
              mask_mem:<list> specify a memory binding mask for each tasks
                              where <list> is <mask1>,<mask2>,...<maskN>
              help            show this help message
      """;

  private final CommandContext context;
  private final SbatchSettings.Check check;

  /**
   * Helps before values are checked.
   *
   * @param check what else is looked at
   */
  OptionHelp(CommandContext context, SbatchSettings.Check check) {
    this.context = context;
    this.check = check;
  }

  @Override
  public void check(SbatchOption option, String name, @Nullable String value)
      throws CommandException {
    show(option, name, value);
    check.check(option, name, value);
  }

  /**
   * Prints what the first option of a command line that asks for help is about, if one does; no
   * script has to be read for that.
   *
   * @throws CommandException the end of the command, if there was one
   */
  void show(List<List<ParsedOption<SbatchOption>>> components) throws CommandException {
    if (components.stream().flatMap(List::stream).anyMatch(OptionHelp::asks)) {
      for (List<ParsedOption<SbatchOption>> options : components) {
        for (ParsedOption<SbatchOption> option : options) {
          check(option.key(), "--" + option.key().longName(), option.value());
        }
      }
    }
  }

  private static boolean asks(ParsedOption<SbatchOption> option) {
    String value = option.value();
    return value != null
        && switch (option.key()) {
          case HINT, MEM_BIND ->
              KeywordParser.list(value).stream().anyMatch("help"::equalsIgnoreCase);
          case GRES -> isHelp(value);
          default -> false;
        };
  }

  private static boolean isHelp(String value) {
    return value.equalsIgnoreCase("help") || value.equalsIgnoreCase("list");
  }

  private void show(SbatchOption option, String name, @Nullable String value)
      throws CommandException {
    if (value == null) {
      return;
    }
    switch (option) {
      case HINT -> words(option, name, value, HINTS);
      case MEM_BIND -> words(option, name, value, MEMORY_BINDS);
      case GRES -> {
        if (isHelp(value)) {
          end(resources(), 0);
        }
      }
      default -> {}
    }
  }

  /** The words before the one that asks for help are looked at first. */
  private void words(SbatchOption option, String name, String value, String text)
      throws CommandException {
    List<String> words = KeywordParser.list(value);
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equalsIgnoreCase("help")) {
        if (i > 0) {
          check.check(option, name, String.join(",", words.subList(0, i)));
        }
        end(text, 1);
      }
    }
  }

  private void end(String text, int exitCode) throws CommandException {
    context.out().print(text);
    throw new CommandException(exitCode, List.of());
  }

  /** The generic resources that jobs of the cluster may ask for. */
  private String resources() throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      Response.Cluster cluster =
          Question.expected(
              Response.Cluster.class,
              connection.ask(new Request.ShowCluster()),
              CommandException::error);
      StringBuilder text = new StringBuilder("Valid gres options are:\n");
      for (String name : cluster.gresTypes()) {
        text.append(name).append("[[:type]:count]\n");
      }
      return text.toString();
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }
}

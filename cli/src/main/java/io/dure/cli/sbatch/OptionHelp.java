package io.dure.cli.sbatch;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What options print that are asked for {@code help} in place of a value; no job is submitted. */
final class OptionHelp {
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

  OptionHelp(CommandContext context) {
    this.context = context;
  }

  /**
   * Prints what the first option that asks for help is about.
   *
   * @throws CommandException the end of the command, if there was one
   */
  void show(List<List<ParsedOption<SbatchOption>>> components) throws CommandException {
    for (List<ParsedOption<SbatchOption>> options : components) {
      for (ParsedOption<SbatchOption> option : options) {
        show(option.key(), option.value());
      }
    }
  }

  private void show(SbatchOption option, @Nullable String value) throws CommandException {
    if (value == null) {
      return;
    }
    switch (option) {
      case HINT -> {
        if (asks(value)) {
          end(HINTS, 1);
        }
      }
      case MEM_BIND -> {
        if (asks(value)) {
          end(MEMORY_BINDS, 1);
        }
      }
      case GRES -> {
        if (value.equalsIgnoreCase("help") || value.equalsIgnoreCase("list")) {
          end(resources(), 0);
        }
      }
      default -> {}
    }
  }

  private static boolean asks(String value) {
    return KeywordParser.list(value).stream().anyMatch("help"::equalsIgnoreCase);
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

package io.dure.cli.exitmod;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.sacct.Sacct;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes the exit code that a user derives for a job, and the comment on it; or lists them. */
public final class Sjobexitmod implements CliCommand {
  private static final String COLUMNS =
      "JobID%20,Account,NNodes,NodeList,State,ExitCode,DerivedExitCode,Comment";

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SjobexitmodOption> parser =
        context.options(Sjobexitmod.class, SjobexitmodOption.values());
    String list = null;
    String cluster = null;
    List<String> changes = new ArrayList<>();
    for (ParsedOption<SjobexitmodOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case CLUSTER -> cluster = value;
        case EXIT_CODE -> changes.add("DerivedExitCode=" + value);
        case LIST -> list = value;
        case REASON -> changes.add("Comment=" + value);
        case HELP, VERSION -> {}
      }
    }
    List<String> words = parser.operands();
    if (list != null) {
      return list(context, job(list), cluster);
    }
    if (words.size() != 1 || changes.isEmpty()) {
      context.out().print(parser.usage());
      return 1;
    }
    return change(context, job(words.getFirst()), cluster, changes);
  }

  private static String job(String word) throws CommandException {
    JobReference job = JobReference.parse(word);
    if (job == null || job.step() != null) {
      throw CommandException.error("Invalid job id " + word);
    }
    return word;
  }

  private static int list(CommandContext context, String job, @Nullable String cluster) {
    List<String> words = new ArrayList<>(List.of("-X", "-j", job, "-o", COLUMNS));
    if (cluster != null) {
      words.addAll(List.of("-M", cluster));
    }
    return new Sacct().run(context.with().arguments(words).build());
  }

  private static int change(
      CommandContext context, String job, @Nullable String cluster, List<String> changes) {
    List<String> words = new ArrayList<>(List.of("-i", "modify", "job", "where", "jobid=" + job));
    if (cluster != null) {
      words.add("cluster=" + cluster);
    }
    words.add("set");
    words.addAll(changes);
    CapturedCall call = CapturedCall.of(new Sacctmgr(), context, "sacctmgr", words);
    if (call.code() != 0) {
      context.err().print(call.printed() + call.complaints());
      return call.code();
    }
    context.out().print(" Modification of job " + job + " was successful.\n");
    return 0;
  }
}

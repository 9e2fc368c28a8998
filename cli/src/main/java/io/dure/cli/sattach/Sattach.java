package io.dure.cli.sattach;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.request.Question;
import io.dure.cli.step.NodePlace;
import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Job;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.model.step.StepShare;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.StepAttachment;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Shows the output of a step that another srun runs, and passes input to it. */
public final class Sattach implements CliCommand {
  private static final String NO_STEP = "Could not get job step info: ";
  private static final String DENIED = "Invalid user id";

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SattachOption> call = context.options(Sattach.class, SattachOption.values());
    Map<SattachOption, String> options = new EnumMap<>(SattachOption.class);
    for (ParsedOption<SattachOption> option = call.next(); option != null; option = call.next()) {
      options.put(option.key(), Objects.requireNonNullElse(option.value(), ""));
      filter(option);
    }
    StepAttachment wanted = step(context, call.operands());
    try (ControllerConnection connection = context.controller().open()) {
      Job job = job(connection, wanted);
      LaunchedStep step = job.runSteps().step(wanted.step());
      if (step == null || job.state().runningOrSuspended() == null) {
        throw noStep(ErrorCode.INVALID_JOB_ID.text());
      }
      if (options.containsKey(SattachOption.LAYOUT)) {
        context.out().print(layout(step));
        return 0;
      }
      int uid = context.caller().uid();
      if (uid != 0 && uid != job.owner().uid()) {
        throw noStep(DENIED);
      }
      Response.NodePlaces places =
          Question.expected(
              Response.NodePlaces.class,
              connection.ask(new Request.LocateNodes(step.nodes())),
              Sattach::noStep);
      List<String> entries = entries(context.caller(), wanted, step, places, options);
      byte[] attach = WireCodecs.stepAttachments().encode(wanted);
      return context.caller().runStep(new StepFrontEnd(entries, List.of(attach))).code();
    } catch (IOException e) {
      throw noStep(String.valueOf(e.getMessage()));
    }
  }

  private static CommandException noStep(String text) {
    return CommandException.error(NO_STEP + text);
  }

  /** The filters are numbers of tasks. */
  private static void filter(ParsedOption<SattachOption> option) throws CommandException {
    String name =
        switch (option.key()) {
          case INPUT_FILTER -> "input-filter";
          case OUTPUT_FILTER -> "output-filter";
          case ERROR_FILTER -> "error-filter";
          case LABEL, LAYOUT, PTY, QUIET, VERBOSE, VERSION, HELP, USAGE -> null;
        };
    String value = option.value();
    if (name != null && value != null && DigitParser.parse(value, Integer.MAX_VALUE) < 0) {
      throw CommandException.error("Invalid numeric value \"" + value + "\" for " + name + ".");
    }
  }

  private static StepAttachment step(CommandContext context, List<String> words)
      throws CommandException {
    if (words.size() != 1) {
      throw wrongCall(context, "too many parameters");
    }
    String word = words.getFirst();
    int dot = word.indexOf('.');
    if (dot < 0) {
      throw wrongCall(context, "Failed to parse stepid from command line options");
    }
    JobReference job = JobReference.parse(word);
    StepName step = StepName.parse(word.substring(dot + 1));
    if (step == null && !word.contains("+")) {
      throw CommandException.fatal("Bad step specified: " + word.substring(0, dot));
    }
    if (job == null || !(step instanceof StepName.NumberedStep(int number))) {
      throw noStep(ErrorCode.INVALID_JOB_ID.text());
    }
    return new StepAttachment(job.jobId(), number);
  }

  private static CommandException wrongCall(CommandContext context, String text) {
    context.out().print(HelpText.of(Sattach.class, "usage.txt"));
    return CommandException.error(text);
  }

  private static Job job(ControllerConnection connection, StepAttachment wanted)
      throws IOException, CommandException {
    Response.Jobs jobs =
        Question.expected(
            Response.Jobs.class,
            connection.ask(new Request.ListJobs(List.of(wanted.jobId()), null, true)),
            Sattach::noStep);
    for (JobInfo info : jobs.jobs()) {
      if (info.job().id() == wanted.jobId()) {
        return info.job();
      }
    }
    throw noStep(ErrorCode.INVALID_JOB_ID.text());
  }

  private static String layout(LaunchedStep step) {
    StringBuilder text = new StringBuilder("Job step layout:\n\t");
    text.append(step.tasks()).append(" tasks, ").append(step.nodes().size()).append(" nodes (");
    text.append(HostList.compress(step.nodes())).append(")\n\n");
    int index = 0;
    for (StepShare share : step.shares()) {
      text.append("\tNode ").append(index++).append(" (").append(share.node()).append("), ");
      text.append(share.ranks().size()).append(" task(s): ");
      share.ranks().forEach(rank -> text.append(rank).append(' '));
      text.append('\n');
    }
    return text.toString();
  }

  private static List<String> entries(
      CallerProcess caller,
      StepAttachment wanted,
      LaunchedStep step,
      Response.NodePlaces places,
      Map<SattachOption, String> options)
      throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add("step=" + wanted.jobId() + "." + wanted.step());
    entries.add("attach=1");
    entries.add("ntasks=" + step.tasks());
    entries.add("quiet=" + (options.containsKey(SattachOption.QUIET) ? 1 : 0));
    flag(entries, options, SattachOption.LABEL, "label");
    flag(entries, options, SattachOption.PTY, "pty");
    filter(entries, options, SattachOption.INPUT_FILTER, "stdin");
    filter(entries, options, SattachOption.OUTPUT_FILTER, "stdout");
    filter(entries, options, SattachOption.ERROR_FILTER, "stderr");
    for (int i = 0; i < places.nodes().size(); i++) {
      Response.StepNode node = places.nodes().get(i);
      StepShare share = step.shareOn(node.name());
      if (share == null) {
        throw new IOException("node " + node.name() + " has no part of the step");
      }
      entries.add("node=" + i + ":" + node.name() + ":" + NodePlace.of(node, caller));
      entries.add("node_ranks=" + i + ":" + GresShare.ranges(share.ranks()));
    }
    return entries;
  }

  private static void flag(
      List<String> entries, Map<SattachOption, String> options, SattachOption option, String key) {
    if (options.containsKey(option)) {
      entries.add(key + "=1");
    }
  }

  private static void filter(
      List<String> entries, Map<SattachOption, String> options, SattachOption option, String key) {
    String rank = options.get(option);
    if (rank != null) {
      entries.add(key + "=" + rank);
    }
  }
}

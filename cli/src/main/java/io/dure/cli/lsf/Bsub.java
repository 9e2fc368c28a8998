package io.dure.cli.lsf;

import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.sbatch.Sbatch;
import io.dure.cli.srun.Srun;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.lsf.BsubOption;
import io.dure.surface.lsf.LsfFault;
import io.dure.surface.lsf.LsfJob;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.BatchScriptReader;
import io.dure.surface.sbatch.ScriptDirectives;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Submits a command, or a script on standard input, as {@code sbatch} does. */
public final class Bsub implements CliCommand {
  private static final String PREFIX = "#BSUB";
  private static final String DEFAULT_SHELL = "#!/bin/sh\n";

  @Override
  public int execute(CommandContext context) throws CommandException {
    try {
      return submit(context);
    } catch (LsfFault e) {
      throw LsfAnswers.failure(e.text() + ". Job not submitted.");
    }
  }

  private static int submit(CommandContext context) throws CommandException, LsfFault {
    BsubOption.Line line = BsubOption.line(context.arguments());
    for (var option : line.options()) {
      if (option.getKey() == BsubOption.HELP) {
        context.out().print(HelpText.of(Bsub.class, "bsub-help.txt"));
        return 0;
      }
      if (option.getKey() == BsubOption.VERSION) {
        context.out().print(DureVersion.LINE + "\n");
        return 0;
      }
    }
    LsfJob job = new LsfJob(context.clock());
    if (!line.operands().isEmpty()) {
      job.take(context.arguments());
      if (job.isInteractive()) {
        return interactive(context, job, line.operands());
      }
      String command = String.join(" ", line.operands());
      List<String> words = new ArrayList<>(List.of("--wrap=" + command));
      if (!job.has(BsubOption.NAME)) {
        words.add("--job-name=" + command);
      }
      return batch(context, job, words);
    }
    String script = script(context);
    int number = 0;
    for (String one : script.split("\n", -1)) {
      number++;
      if (one.startsWith(PREFIX)) {
        job.take(ScriptDirectives.words(one, PREFIX, "bsub", number));
      }
    }
    job.take(context.arguments());
    String whole = script.startsWith("#!") || script.isBlank() ? script : DEFAULT_SHELL + script;
    byte[] bytes = whole.getBytes(StandardCharsets.ISO_8859_1);
    List<String> words = new ArrayList<>(List.of("--ignore-pbs"));
    if (!job.has(BsubOption.NAME)) {
      words.add("--job-name=STDIN");
    }
    words.add("/dev/stdin");
    return batch(context.withIn(new ByteArrayInputStream(bytes)), job, words);
  }

  private static String script(CommandContext context) throws CommandException {
    try {
      byte[] bytes = context.in().readNBytes(BatchScriptReader.MAX_BYTES + 1);
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw LsfAnswers.failure("cannot read standard input. Job not submitted.");
    }
  }

  private static int interactive(CommandContext context, LsfJob job, List<String> command)
      throws CommandException, LsfFault {
    List<String> words = new ArrayList<>(job.words());
    if (job.hasTerminal()) {
      words.add("--pty");
    }
    words.addAll(command);
    tell(context, job);
    return new Srun().execute(context.with().program("srun").arguments(words).build());
  }

  private static int batch(CommandContext context, LsfJob job, List<String> behind)
      throws CommandException, LsfFault {
    List<String> words = new ArrayList<>(job.batchWords());
    words.add("--parsable");
    words.addAll(behind);
    tell(context, job);
    Map<String, String> variables = new LinkedHashMap<>(context.environment());
    variables.put("LSB_SUB_HOST", context.caller().hostName());
    variables.put("LS_SUBCWD", context.directory().toString());
    CommandContext called = context.withEnvironment(variables);
    CapturedCall call = CapturedCall.of(new Sbatch(), called, "sbatch", words);
    context.err().print(call.complaints());
    String id = call.printed().strip().split("[;\n]", -1)[0];
    if (id.isEmpty()) {
      return call.code() == 0 ? 0 : LsfAnswers.FAILED;
    }
    String queue = job.value(BsubOption.QUEUE).strip();
    String kind = queue.isEmpty() ? "default queue <" : "queue <";
    String name = queue.isEmpty() ? LsfAnswers.defaultQueue(context) : queue;
    context.out().print("Job <" + id + "> is submitted to " + kind + name + ">.\n");
    return call.code();
  }

  private static void tell(CommandContext context, LsfJob job) {
    for (String one : job.passedOver()) {
      context.report(StderrMessage.info(one + " has no equal here and is passed over"));
    }
  }
}

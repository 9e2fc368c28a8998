package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.salloc.Salloc;
import io.dure.cli.sbatch.Sbatch;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.OptionSpec;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsJob;
import io.dure.surface.pbs.QsubOption;
import io.dure.surface.sbatch.BatchScriptReader;
import io.dure.surface.sbatch.ScriptDirectives;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Submits a script as {@code sbatch} does, with the options and the {@code #PBS} lines of PBS. */
public final class Qsub implements CliCommand {
  private static final String PREFIX = "#PBS";
  private static final String STANDARD_INPUT = "STDIN";
  private static final List<String> KEPT =
      List.of("HOME", "LANG", "LOGNAME", "PATH", "MAIL", "SHELL", "TZ");

  /** A script: where it lies, null for standard input, and what it says. */
  private record Script(@Nullable String path, String content) {
    String name() {
      return path == null ? STANDARD_INPUT : path.substring(path.lastIndexOf('/') + 1);
    }
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<QsubOption> call =
        new CallOptions<>(
            context.out(),
            Qsub.class,
            "qsub-",
            new OptionParser<>(
                context.program(),
                OptionSpec.table(QsubOption.values()),
                OptionParser.Operands.END_OPTIONS,
                context.arguments()));
    List<ParsedOption<QsubOption>> options = call.all();
    PbsJob line = new PbsJob(context.clock());
    options.forEach(option -> line.set(option.key(), option.value()));
    PbsJob job = new PbsJob(context.clock());
    if (line.isInteractive()) {
      options.forEach(option -> job.set(option.key(), option.value()));
      return allocate(context, job);
    }
    List<String> words = call.operands();
    Script script =
        script(context, words.isEmpty() || words.getFirst().equals("-") ? null : words.getFirst());
    String prefix =
        line.has(QsubOption.DIRECTIVE_PREFIX)
            ? line.value(QsubOption.DIRECTIVE_PREFIX)
            : context.environment().getOrDefault("PBS_DPREFIX", PREFIX);
    if (!prefix.isEmpty()) {
      directives(script, prefix, job);
    }
    options.forEach(option -> job.set(option.key(), option.value()));
    List<String> arguments =
        new ArrayList<>(words.isEmpty() ? words : words.subList(1, words.size()));
    for (String word : job.value(QsubOption.ARGUMENTS).split("\\s+", -1)) {
      if (!word.isEmpty()) {
        arguments.add(word);
      }
    }
    return submit(context, job, script, arguments);
  }

  private static int allocate(CommandContext context, PbsJob job) throws CommandException {
    List<String> words = new ArrayList<>(job.words());
    if (job.has(QsubOption.DISPLAY)) {
      words.add("--x11");
    }
    tell(context, job);
    return new Salloc().execute(context.with().program("salloc").arguments(words).build());
  }

  private static Script script(CommandContext context, @Nullable String path)
      throws CommandException {
    if (path == null) {
      try {
        return new Script(null, text(context.in()));
      } catch (IOException e) {
        throw failure("cannot read the script from standard input: " + e.getMessage());
      }
    }
    try (InputStream file = context.caller().read(context.directory().resolve(path))) {
      return new Script(path, text(file));
    } catch (IOException e) {
      throw failure("script file:: No such file or directory");
    }
  }

  private static String text(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(BatchScriptReader.MAX_BYTES + 1);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Directives are looked for down to the first line that is neither blank nor a comment. */
  private static void directives(Script script, String prefix, PbsJob job) throws CommandException {
    int number = 0;
    for (String line : script.content().split("\n", -1)) {
      number++;
      if (!line.isBlank() && line.strip().charAt(0) != '#' && !line.startsWith(prefix)) {
        return;
      }
      if (line.startsWith(prefix)) {
        job.take(ScriptDirectives.words(line, prefix, script.name(), number));
      }
    }
  }

  private static int submit(
      CommandContext context, PbsJob job, Script script, List<String> arguments)
      throws CommandException {
    List<String> words = new ArrayList<>(job.batchWords());
    words.addAll(List.of("--parsable", "--ignore-pbs"));
    if (!job.has(QsubOption.NAME)) {
      words.add("--job-name=" + script.name());
    }
    CommandContext called = context.withEnvironment(environment(context, job, script.name()));
    String content = script.content();
    boolean runs = content.startsWith("#!");
    if (script.path() != null && runs) {
      words.add(script.path());
    } else {
      // PBS hands a script to a shell that it starts, so the script need not name one.
      String shell = job.has(QsubOption.SHELL) ? shell(job.value(QsubOption.SHELL)) : "/bin/sh";
      String whole = runs || content.isBlank() ? content : "#!" + shell + "\n" + content;
      called = called.withIn(new ByteArrayInputStream(whole.getBytes(StandardCharsets.ISO_8859_1)));
      words.add("/dev/stdin");
    }
    words.addAll(arguments);
    tell(context, job);
    if (!job.has(QsubOption.SILENT)) {
      return new Sbatch().execute(called.with().program("sbatch").arguments(words).build());
    }
    CapturedCall silent = CapturedCall.of(new Sbatch(), called, "sbatch", words);
    context.err().print(silent.complaints());
    return silent.code();
  }

  /** {@code /bin/bash@host,/bin/sh}: the shell of all hosts, or the first. */
  private static String shell(String value) {
    String first = value.split(",", -1)[0];
    int at = first.indexOf('@');
    return at < 0 ? first : first.substring(0, at);
  }

  /** What a job knows of the place it was submitted in. */
  private static Map<String, String> environment(CommandContext context, PbsJob job, String name) {
    Map<String, String> all = new LinkedHashMap<>(context.environment());
    for (String variable : KEPT) {
      String value = context.environment().get(variable);
      if (value != null) {
        all.put("PBS_O_" + variable, value);
      }
    }
    all.put("PBS_O_HOST", context.caller().hostName());
    all.put("PBS_O_SYSTEM", "Linux");
    all.put("PBS_O_WORKDIR", context.directory().toString());
    all.put("PBS_ENVIRONMENT", "PBS_BATCH");
    all.put("PBS_JOBNAME", job.has(QsubOption.NAME) ? job.value(QsubOption.NAME) : name);
    if (job.has(QsubOption.QUEUE)) {
      all.put("PBS_O_QUEUE", job.value(QsubOption.QUEUE));
      all.put("PBS_QUEUE", job.value(QsubOption.QUEUE));
    }
    return all;
  }

  private static void tell(CommandContext context, PbsJob job) {
    for (String one : job.passedOver()) {
      context.report(StderrMessage.info(one + " has no equal here and is passed over"));
    }
  }

  private static CommandException failure(String text) {
    return new CommandException(1, List.of(StderrMessage.info(text)));
  }
}

package io.dure.cli.sbatch;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ExportedEnvironment;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.request.Workload;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.BatchScript;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.sbatch.SubmitVariables;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts together what a job runs and in which surroundings. */
final class BatchSpecBuilder {

  private static final int MAX_ENVIRONMENT_BYTES = 8 << 20;

  private final CommandContext context;
  private final SbatchSettings settings;

  BatchSpecBuilder(CommandContext context, SbatchSettings settings) {
    this.context = context;
    this.settings = settings;
  }

  /** What a job runs, and the two long texts of it. */
  record BatchBody(Workload.BatchSpec batch, JobTexts texts) {}

  /**
   * The batch part of the submission.
   *
   * @param jobName the job's name, which its environment carries
   */
  BatchBody body(BatchScript script, List<String> arguments, String jobName)
      throws CommandException {
    CallerProcess caller = context.caller();
    ExportedEnvironment exported = environment();
    String chdir = settings.value(SbatchOption.CHDIR);
    Path directory = chdir == null ? context.directory() : context.directory().resolve(chdir);
    int umask = umask(caller);
    List<String> variables =
        new SubmitVariables(
                jobName, caller.nice(), context.directory().toString(), caller.hostName(), umask)
            .added(exported.variables(), settings);
    Workload.BatchSpec batch =
        new Workload.BatchSpec(
            TextId.EMPTY,
            List.copyOf(arguments),
            TextId.EMPTY,
            exported.loadUserEnvironment() || settings.has(SbatchOption.GET_USER_ENV),
            directory.toString(),
            file(SbatchOption.INPUT),
            file(SbatchOption.OUTPUT),
            file(SbatchOption.ERROR),
            SbatchOptionCheck.openMode(settings.valueOr(SbatchOption.OPEN_MODE, "")),
            umask,
            limits(caller),
            script.path(),
            context.submitLine(),
            caller.hostName(),
            caller.sessionId(),
            !settings.has(SbatchOption.PROPAGATE));
    return new BatchBody(batch, JobTexts.of(script.content(), variables));
  }

  private @Nullable String file(SbatchOption option) {
    String name = settings.value(option);
    return "none".equalsIgnoreCase(name) ? "/dev/null" : name;
  }

  private int umask(CallerProcess caller) {
    String text = context.environment().get("SLURM_UMASK");
    if (text != null) {
      try {
        return Integer.parseInt(text, 8) & 0777;
      } catch (NumberFormatException e) {
        return caller.umask();
      }
    }
    return caller.umask();
  }

  private List<PropagatedRlimit> limits(CallerProcess caller) {
    List<String> names = KeywordParser.limits(settings.value(SbatchOption.PROPAGATE));
    List<PropagatedRlimit> chosen = new ArrayList<>();
    for (PropagatedRlimit limit : caller.limits()) {
      if (names != null && names.contains(limit.name())) {
        chosen.add(limit);
      }
    }
    return List.copyOf(chosen);
  }

  private ExportedEnvironment environment() throws CommandException {
    String file = settings.value(SbatchOption.EXPORT_FILE);
    Map<String, String> source = file == null ? context.environment() : readFile(file);
    return ExportedEnvironment.of(source, settings.value(SbatchOption.EXPORT));
  }

  /** A file of NAME=value with NUL bytes between them, or the number of an open file. */
  private Map<String, String> readFile(String name) throws CommandException {
    Path path = context.directory().resolve(name);
    if (!name.isEmpty() && name.chars().allMatch(Character::isDigit)) {
      path = Path.of("/proc/self/fd", name);
    }
    byte[] bytes;
    try (InputStream in = context.caller().read(path)) {
      bytes = in.readNBytes(MAX_ENVIRONMENT_BYTES + 1);
    } catch (IOException e) {
      throw CommandException.error("Could not open user environment file " + name);
    }
    if (bytes.length > MAX_ENVIRONMENT_BYTES) {
      throw CommandException.error("Environment file " + name + " is too long");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    String text = new String(bytes, StandardCharsets.UTF_8);
    int start = 0;
    while (start < text.length()) {
      int nul = text.indexOf('\0', start);
      int end = nul < 0 ? text.length() : nul;
      int equals = text.indexOf('=', start);
      if (equals > start && equals < end) {
        variables.put(text.substring(start, equals), text.substring(equals + 1, end));
      }
      start = end + 1;
    }
    return variables;
  }
}

package io.dure.cli.sbatch;

import io.dure.cli.command.CommandContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.command.CrontabChange;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.BatchScript;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.scrontab.CrontabFile;
import io.dure.surface.scrontab.CrontabOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a job of an entry of a crontab, as sbatch would of a script with its options. The job
 * begins in the user's home and with the user's login environment, whatever the caller's are.
 */
public final class CronJobReader {
  private final CommandContext context;
  private final SiteFilter filter;
  private final Path home;

  /**
   * A reader.
   *
   * @param home the home directory of the crontab's owner
   */
  public CronJobReader(CommandContext context, SiteFilter filter, Path home) {
    this.context = context;
    this.filter = filter;
    this.home = home;
  }

  /**
   * The job of an entry.
   *
   * @throws CommandException if its options cannot be taken
   */
  public CrontabChange.Entry read(CrontabFile.Entry entry) throws CommandException {
    SbatchSettings settings = new SbatchSettings(new SbatchOptionCheck(context.clock()));
    filter.setupDefaults(new SbatchFilteredOptions(settings, SbatchSettings.Source.SITE));
    for (ParsedOption<SbatchOption> option :
        CrontabOptions.parse(context.program(), entry.options())) {
      settings.set(
          option.key(),
          "--" + option.key().longName(),
          option.value(),
          SbatchSettings.Source.COMMAND_LINE);
    }
    filter.preSubmit(new SbatchFilteredOptions(settings, SbatchSettings.Source.COMMAND_LINE), 0);
    settings.set(
        SbatchOption.GET_USER_ENV, "--get-user-env", null, SbatchSettings.Source.COMMAND_LINE);
    CommandContext there =
        context.with().directory(home).environment(variables(entry.variables())).build();
    BatchScript script = script(entry.command());
    JobSpecBuilder builder =
        new JobSpecBuilder(settings, context.clock(), new NodeListOptions(home, context.caller()));
    JobSpec spec = builder.spec(script.jobName());
    builder.warnings().forEach(context::report);
    BatchSpecBuilder.BatchBody body =
        new BatchSpecBuilder(there, settings).body(script, List.of(), spec.name());
    return new CrontabChange.Entry(entry.time(), spec, body.batch(), body.texts());
  }

  private static Map<String, String> variables(List<String> settings) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      variables.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return variables;
  }

  /** The job is named after the program that the command begins with. */
  private static BatchScript script(String command) {
    String word = command.split("[ \t]", 2)[0];
    String name = word.substring(word.lastIndexOf('/') + 1);
    String decoded = new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return new BatchScript(
        "#!/bin/sh\n# This script was created by scrontab.\n\n" + command + "\n",
        "crontab",
        decoded.isEmpty() ? "crontab" : decoded,
        null);
  }
}

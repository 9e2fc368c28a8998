package io.dure.surface.sbatch;

import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.WallClock;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a submission that was recorded as a command line asks for: the same options, read in the
 * same way, without a script, an environment or a machine around them.
 *
 * @param spec what is asked for; the partition stays open where none is named
 * @param user the argument of {@code --uid}, empty where none was given
 */
public record RecordedSubmission(JobSpec spec, String user) {

  /**
   * Reads the arguments of {@code sbatch} for a heterogeneous job.
   *
   * @return what each component asks for; one request for any other job
   * @throws CommandException saying what {@code sbatch} would have said
   */
  public static List<JobSpec> components(List<String> arguments, Instant now)
      throws CommandException {
    return all(arguments, now).stream().map(RecordedSubmission::spec).toList();
  }

  /**
   * Reads the arguments of {@code sbatch} for any job.
   *
   * @return one for each component of a heterogeneous job, and one alone for any other
   * @throws CommandException saying what {@code sbatch} would have said
   */
  public static List<RecordedSubmission> all(List<String> arguments, Instant now)
      throws CommandException {
    return all(arguments, now, null);
  }

  /**
   * Reads the arguments of {@code sbatch}, and the lines of the script that they name.
   *
   * @param arguments of which the script is found as {@code sbatch} finds it
   * @return one for each component of a heterogeneous job, and one alone for any other
   * @throws CommandException saying what {@code sbatch} would have said
   */
  public static List<RecordedSubmission> withScript(
      List<String> arguments, Instant now, ScriptPlace place) throws CommandException {
    return all(arguments, now, place);
  }

  private static List<RecordedSubmission> all(
      List<String> arguments, Instant now, @Nullable ScriptPlace place) throws CommandException {
    WallClock clock = new WallClock.Fixed(now, ZoneOffset.UTC);
    SbatchSettings settings = new SbatchSettings(new SbatchOptionCheck(clock));
    List<List<ParsedOption<SbatchOption>>> commandLine = new ArrayList<>();
    List<String> words = arguments;
    while (true) {
      OptionParser<SbatchOption> parser =
          new OptionParser<>(
              "sbatch", SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words);
      commandLine.add(parser.all());
      words = parser.operands();
      if (words.isEmpty() || !words.getFirst().equals(":")) {
        break;
      }
      words = words.subList(1, words.size());
    }
    ScriptDirectives directives = ScriptDirectives.NONE;
    if (place != null && !words.isEmpty()) {
      directives = ScriptDirectives.scan(new BatchScriptReader(place).read(words.getFirst()));
    }
    if (commandLine.stream()
        .flatMap(List::stream)
        .anyMatch(option -> option.key() == SbatchOption.IGNORE_PBS)) {
      directives = directives.withoutForeign();
    }
    int size = Math.max(commandLine.size(), directives.components().size());
    // What concerns the whole job may stand at any component.
    String user = "";
    for (int i = 0; i < size; i++) {
      set(settings, directives, commandLine, i, clock);
      user = settings.valueOr(SbatchOption.UID, user);
    }
    NodeListOptions nodes = new NodeListOptions(Path.of("/"), CallerFiles.NONE);
    String name = words.isEmpty() ? "" : words.getFirst();
    List<RecordedSubmission> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      set(settings, directives, commandLine, i, clock);
      all.add(new RecordedSubmission(new JobSpecBuilder(settings, clock, nodes).spec(name), user));
    }
    return List.copyOf(all);
  }

  /** The last of the command line are those of all components behind, too. */
  private static void set(
      SbatchSettings settings,
      ScriptDirectives directives,
      List<List<ParsedOption<SbatchOption>>> commandLine,
      int component,
      WallClock clock)
      throws CommandException {
    settings.startComponent();
    directives.set(component, settings, "sbatch");
    directives.setForeign(settings, clock, "sbatch");
    for (ParsedOption<SbatchOption> option :
        commandLine.get(Math.min(component, commandLine.size() - 1))) {
      settings.set(
          option.key(),
          "--" + option.key().longName(),
          option.value(),
          SbatchSettings.Source.COMMAND_LINE);
    }
  }
}

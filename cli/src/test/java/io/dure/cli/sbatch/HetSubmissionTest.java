package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.cli.command.FakeContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.command.Command;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each component of a heterogeneous job asks for, as a real Slurm read the same lines. */
@Tag("pure")
class HetSubmissionTest {
  @TempDir Path directory;
  private final FakeContext world = new FakeContext();

  @BeforeEach
  void start() {
    world.directory = directory;
  }

  /** The components of a script that is read from standard input. */
  private List<JobSpec> components(String script, String options) throws CommandException {
    world.in = ("#!/bin/sh\n" + script).getBytes(StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of("sbatch"));
    if (!options.isEmpty()) {
      words.addAll(List.of(options.split(" ", -1)));
    }
    var context = world.call(words.toArray(String[]::new));
    List<List<ParsedOption<SbatchOption>>> commandLine = new ArrayList<>();
    List<String> rest = context.arguments();
    while (true) {
      OptionParser<SbatchOption> parser =
          new OptionParser<>(
              "sbatch", SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, rest);
      commandLine.add(parser.all());
      rest = parser.operands();
      if (rest.isEmpty()) {
        break;
      }
      rest = rest.subList(1, rest.size());
    }
    JobSubmission submission =
        new JobSubmissionReader(context, SiteFilter.of(context)).read(commandLine, List.of());
    return submission.components().stream().map(Command.Component::spec).toList();
  }

  private static List<Integer> tasks(List<JobSpec> specs) {
    return specs.stream().map(spec -> spec.resources().tasks()).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-n1 : -n2 | 1,2",
        "-n3 -c2 : | 3,1",
        ": -n2 | 1,2",
        "-n1 : -n2 : -n3 | 1,2,3",
        "-N2 : -n1 | 2,1",
      })
  void eachAsksForItsOwnTasks(String options, String expected) throws CommandException {
    List<Integer> numbers =
        List.of(expected.split(",", -1)).stream().map(Integer::valueOf).toList();
    assertEquals(numbers, tasks(components("", options.strip())));
  }

  @Test
  void theScriptsComponentsMeetThoseOfTheCommandLine() throws CommandException {
    String script = "#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -n2\n#SBATCH hetjob\n#SBATCH -n3\ntrue\n";
    assertEquals(List.of(1, 2, 3), tasks(components(script, "")));
    assertEquals(List.of(5, 2, 3, 1), tasks(components(script, "-n5 : -c2 : -c3 : -n1")));
    assertEquals(List.of(1, 4, 4), tasks(components(script, "-t7 : -n4")));
    assertEquals(
        List.of(3, 3, 3),
        components(script, "-c3").stream().map(s -> s.resources().cpusPerTask()).toList());
  }

  @Test
  void whatConcernsTheWholeJobStandsAnywhere() throws CommandException {
    for (String options :
        List.of(
            "--mem=50 -t5 --comment=hi -A bio : -n2", "-n1 : --mem=50 -t5 --comment=hi -A bio")) {
      for (JobSpec spec : components("", options)) {
        assertEquals(new MemoryRequest.PerNode(50), spec.resources().memory(), options);
        assertEquals(TimeLimit.minutes(5), spec.timeLimit(), options);
        assertEquals("hi", spec.comment(), options);
        assertEquals("bio", spec.account(), options);
      }
    }
  }

  @Test
  void aNameIsThatOfTheComponentsBehindToo() throws CommandException {
    List<JobSpec> specs = components("", "-J a : -J b : -n1");
    assertEquals(List.of("a", "b", "b"), specs.stream().map(JobSpec::name).toList());
  }

  @Test
  void partitionsAndMailAreOfOneComponent() throws CommandException {
    List<JobSpec> specs = components("", "-p short --mail-type=END : -n1");
    assertEquals(List.of("short"), specs.getFirst().partitions());
    assertEquals(List.of(), specs.getLast().partitions());
    assertEquals(null, specs.getLast().mailType());
  }

  @Test
  void contradictionsAreSeenAcrossComponents() {
    CommandException refusal =
        assertThrows(CommandException.class, () -> components("", "-n1 --mem=5 : --mem-per-cpu=5"));
    assertEquals(
        "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.", refusal.getMessage());
  }

  @Test
  void thereAreNotTooMany() {
    CommandException refusal =
        assertThrows(CommandException.class, () -> components("", "-n1 : ".repeat(128) + "-n1"));
    assertEquals(
        "Batch job submission failed: a heterogeneous job has at most 128 components",
        refusal.getMessage());
  }
}

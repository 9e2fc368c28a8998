package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.step.StepSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.CallerFiles;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What options of srun mean together. */
@Tag("pure")
class SrunSettingsTest {
  private static final Path HERE = Path.of("/home/alice");

  private final SrunSettings settings = new SrunSettings((option, name, value) -> {});

  private void set(SrunOption option, String value) throws CommandException {
    settings.set(option, option.longName(), value, SbatchSettings.Source.COMMAND_LINE);
  }

  private static CallerFiles files(Map<String, String> texts) {
    return new CallerFiles() {
      @Override
      public InputStream read(Path file) throws IOException {
        String text = texts.get(file.toString());
        if (text == null) {
          throw new IOException("No such file or directory");
        }
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public boolean hasFile(Path file) {
        return texts.containsKey(file.toString());
      }
    };
  }

  private List<String> hosts(String text) throws CommandException {
    return new TaskHosts(settings, HERE, files(Map.of("/home/alice/hosts", text))).read("hosts");
  }

  private StepSpec step(List<String> hosts) throws CommandException {
    return new StepSpecReader(settings, new NodeListOptions(HERE, files(Map.of())), hosts)
        .spec("true", "login");
  }

  @Test
  void aPackedStepTakesTheNodesOfItsJobForNoWish() throws CommandException {
    settings.set(SrunOption.NODES, "SLURM_NNODES", "2", SbatchSettings.Source.ENVIRONMENT);
    set(SrunOption.NTASKS, "8");
    assertEquals(2, step(List.of()).minNodes());
    set(SrunOption.DISTRIBUTION, "*:*:fcyclic,Pack");
    StepSpec step = step(List.of());
    assertEquals(0, step.minNodes());
    assertEquals(StepSpec.Distribution.PACKED, step.layout().distribution());
    assertEquals(List.of(StepSpec.Level.CYCLIC, StepSpec.Level.FCYCLIC), step.layout().levels());
    set(SrunOption.NODES, "2");
    assertEquals(2, step(List.of()).minNodes());
  }

  @ParameterizedTest
  @CsvSource({
    "WAIT,long,'Invalid numeric value \"long\" for --wait.'",
    "IMMEDIATE,soon,'Invalid numeric value \"soon\" for immediate.'",
    "RELATIVE,x,'Invalid numeric value \"x\" for --relative.'",
    "JOBID,7_2,'Invalid numeric value \"7_2\" for --jobid.'",
    "ACCEL_BIND,x,Invalid --accel-bind specification",
    "EXCLUSIVE,1,Invalid --exclusive specification",
    "DISTRIBUTION,plane=0,Invalid plane size or size not specified",
    "DISTRIBUTION,plane,Invalid plane size or size not specified",
  })
  void anArgumentIsRefusedWhereItStands(SrunOption option, String value, String text) {
    CommandException e = assertThrows(CommandException.class, () -> set(option, value));
    assertEquals(text, e.messages().getFirst().text());
  }

  @Test
  void aHostFileNamesTheNodeOfEachTask() throws CommandException {
    assertEquals(List.of("n3", "n1", "n1", "n2"), hosts("n3\n# no node\nn1*2\nn2\n"));
    assertEquals("n3,n1,n2", settings.value(SrunOption.NODELIST));
    StepSpec step = step(List.of("n3", "n1", "n1", "n2"));
    assertEquals(4, step.tasks());
    assertEquals(StepSpec.Distribution.ARBITRARY, step.layout().distribution());
  }

  @Test
  void aHostFileIsLongEnough() throws CommandException {
    set(SrunOption.NTASKS, "2");
    assertEquals(List.of("n1", "n2"), hosts("n[1-4]\n"));
    set(SrunOption.NTASKS, "5");
    settings.shared().unset(SbatchOption.NODELIST);
    CommandException e = assertThrows(CommandException.class, () -> hosts("n[1-4]\n"));
    assertEquals("Too few NodeNames in Slurm Hostfile", e.messages().getFirst().text());
    assertThrows(CommandException.class, () -> hosts("n[1-\n"));
    assertThrows(CommandException.class, () -> hosts("n1*x\n"));
    assertThrows(CommandException.class, () -> hosts("\n"));
  }

  @Test
  void anotherDistributionDoesNotReadTheHostFile() throws CommandException {
    set(SrunOption.DISTRIBUTION, "block");
    assertEquals(List.of(), hosts("n1\n"));
  }

  @Test
  void tasksOfANodeThatContradictTheOthersAreIgnored() throws CommandException {
    set(SrunOption.NODES, "2");
    set(SrunOption.NTASKS, "4");
    set(SrunOption.NTASKS_PER_NODE, "1");
    StepSpecReader reader =
        new StepSpecReader(settings, new NodeListOptions(HERE, files(Map.of())), List.of());
    assertEquals(0, reader.spec("true", "login").layout().tasksPerNode());
    assertTrue(reader.warnings().getFirst().text().contains("can't honor --ntasks-per-node"));
  }

  @Test
  void aRelativeNodeExcludesNames() throws CommandException {
    set(SrunOption.RELATIVE, "1");
    set(SrunOption.NODELIST, "n3");
    assertThrows(CommandException.class, () -> step(List.of()));
  }
}

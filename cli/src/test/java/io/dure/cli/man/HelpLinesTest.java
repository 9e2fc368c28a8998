package io.dure.cli.man;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.FakeContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each command has a manual page, and each option a line there. */
@Tag("pure")
class HelpLinesTest {
  private static final String CLI = "io.dure.cli.";
  private static final String SURFACE = "io.dure.surface.";

  /** The tables of options by their commands. */
  private static final Map<String, String> TABLES = tables();

  private static Map<String, String> tables() {
    Map<String, String> tables = new TreeMap<>();
    tables.put("bjobs", CLI + "lsf.BjobsOption");
    tables.put("bkill", CLI + "lsf.BkillOption");
    tables.put("bsub", SURFACE + "lsf.BsubOption");
    tables.put("dure-cost", CLI + "cost.CostOption");
    tables.put("dure-efficiency", CLI + "efficiency.EfficiencyOption");
    tables.put("dure-fairshare", CLI + "fairshare.FairShareOption");
    tables.put("dure-forecast", CLI + "forecast.ForecastOption");
    tables.put("dure-fragmentation", CLI + "fragmentation.FragmentationOption");
    tables.put("dure-tenant", CLI + "tenant.TenantOption");
    tables.put("dure-watch", SURFACE + "squeue.SqueueOption");
    tables.put("dure-who", CLI + "who.WhoOption");
    tables.put("dure-why", CLI + "why.WhyOption");
    tables.put("pbsnodes", CLI + "torque.PbsnodesOption");
    tables.put("qalter", SURFACE + "pbs.QsubOption");
    tables.put("qdel", CLI + "torque.QdelOption");
    tables.put("qhold", CLI + "torque.HoldOption");
    tables.put("qrerun", CLI + "torque.HoldOption");
    tables.put("qrls", CLI + "torque.HoldOption");
    tables.put("qstat", CLI + "torque.QstatOption");
    tables.put("qsub", SURFACE + "pbs.QsubOption");
    tables.put("sacct", CLI + "sacct.SacctOption");
    tables.put("sacctmgr", CLI + "sacctmgr.SacctmgrOption");
    tables.put("salloc", SURFACE + "srun.SallocOption");
    tables.put("sattach", CLI + "sattach.SattachOption");
    tables.put("sbatch", SURFACE + "sbatch.SbatchOption");
    tables.put("sbcast", CLI + "sbcast.SbcastOption");
    tables.put("scancel", CLI + "scancel.ScancelOption");
    tables.put("scontrol", CLI + "scontrol.ScontrolOption");
    tables.put("scrontab", CLI + "scrontab.ScrontabOption");
    tables.put("sdiag", CLI + "sdiag.SdiagOption");
    tables.put("seff", CLI + "seff.SeffOption");
    tables.put("sgather", CLI + "sbcast.SgatherOption");
    tables.put("sinfo", SURFACE + "sinfo.SinfoOption");
    tables.put("sjobexitmod", CLI + "exitmod.SjobexitmodOption");
    tables.put("sjstat", CLI + "sjstat.SjstatOption");
    tables.put("sprio", CLI + "sprio.SprioOption");
    tables.put("squeue", SURFACE + "squeue.SqueueOption");
    tables.put("sreport", CLI + "sreport.SreportOption");
    tables.put("srun", SURFACE + "srun.SrunOption");
    tables.put("sshare", CLI + "sshare.SshareOption");
    tables.put("sstat", CLI + "sstat.SstatOption");
    tables.put("strigger", CLI + "strigger.StriggerOption");
    return tables;
  }

  private final FakeContext world = new FakeContext();
  private final MakeManPages pages = new MakeManPages(CommandRegistry::forUsers);

  private String help(String command) throws CommandException {
    return pages.help(world.call("make-man-pages"), command);
  }

  @Test
  void eachCommandHasItsPageAndItsLink() throws IOException {
    assertEquals(TABLES.keySet(), new TreeSet<>(MakeManPages.summaries().keySet()));
    try (Stream<Path> links = Files.list(Path.of("../bin"))) {
      assertEquals(
          TABLES.keySet(),
          new TreeSet<>(links.map(link -> link.getFileName().toString()).toList()));
    }
  }

  @Test
  void eachTableBelongsToACommand() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (String module : List.of("src/main/java", "../surface/src/main/java")) {
      Path root = Path.of(module);
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(path -> path.toString().endsWith("Option.java")).toList()) {
          if (Files.readString(file).contains("implements OptionKey")) {
            String name = root.relativize(file).toString().replace('/', '.');
            found.add(name.substring(0, name.length() - ".java".length()));
          }
        }
      }
    }
    assertEquals(found, new TreeSet<>(TABLES.values()));
  }

  @Test
  void eachOptionHasItsLine() throws CommandException, ClassNotFoundException {
    List<String> lacking = new ArrayList<>();
    for (Map.Entry<String, String> one : TABLES.entrySet()) {
      TreeSet<String> explained = new TreeSet<>();
      CommandPage.entries(help(one.getKey()))
          .forEach(entry -> explained.addAll(CommandPage.names(entry.tag())));
      if (one.getKey().equals("salloc") || one.getKey().equals("srun")) {
        assertTrue(help(one.getKey()).contains("what else sbatch takes"));
        CommandPage.entries(help("sbatch"))
            .forEach(entry -> explained.addAll(CommandPage.names(entry.tag())));
      }
      for (Object key : Class.forName(one.getValue()).getEnumConstants()) {
        String form = ((OptionKey) key).form();
        if (CommandPage.names(form).stream().noneMatch(explained::contains)) {
          lacking.add(one.getKey() + " " + form);
        }
      }
    }
    assertEquals(List.of(), lacking, "options without a line in --help");
  }
}

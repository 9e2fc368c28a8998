package io.dure.e2e.contributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commands of PBS and LSF with a real cluster. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class OtherManagersTest {
  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 8));
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aScriptOfPbsGoesThroughItsLife() {
    shell.script(
        "work.pbs",
        "#!/bin/sh\n#PBS -N work -l nodes=1:ppn=2 -j oe\ncd $PBS_O_WORKDIR && echo here $A\n");
    String id = shell.run("qsub", "-h", "-v", "A=1", "work.pbs").ok();
    assertTrue(shell.run("qstat", id).ok().contains(" H "));
    shell.run("qalter", "-l", "walltime=0:05:00", id).okSilently();
    shell.run("qrls", id).okSilently();
    cluster.await(Integer.parseInt(id), "COMPLETED");
    assertEquals("here 1\n", shell.read("work.o" + id));
    String full = shell.run("qstat", "-f", id).ok();
    assertTrue(full.contains("    Resource_List.walltime = 00:05:00\n"), full);
    assertTrue(full.contains("    job_state = C\n"), full);
    String waits = shell.shell("echo sleep 300 | qsub -h").ok();
    shell.run("qdel", waits).okSilently();
    cluster.await(Integer.parseInt(waits), "CANCELLED");
    shell.run("qdel", "4000").fails(153, "qdel: Unknown Job Id 4000");
    assertTrue(shell.run("pbsnodes", "-a").ok().startsWith("n1\n     state = free\n     np = 8\n"));
    assertEquals("", shell.run("pbsnodes", "-l").ok());
  }

  @Test
  void commandsRunAtTheTerminal() {
    assertEquals("hello", shell.run("bsub", "-I", "-n", "1", "echo", "hello").okSaying(""));
    shell.script("words", "echo in $SLURM_JOB_ID\n");
    String said = shell.runReading(shell.directory().resolve("words"), "qsub", "-I").whatever();
    assertTrue(said.startsWith("exit 0\nin "), said);
    assertTrue(said.contains("salloc: Granted job allocation "), said);
  }

  @Test
  void aCommandOfLsfGoesThroughItsLife() {
    String said = shell.run("bsub", "-o", "lsf.%J", "-n", "2", "echo", "hello").ok();
    assertTrue(said.matches("Job <\\d+> is submitted to default queue <[^<>]+>\\."), said);
    String id = said.replaceAll("\\D*(\\d+).*", "$1");
    cluster.await(Integer.parseInt(id), "COMPLETED");
    assertEquals("hello\n", shell.read("lsf." + id));
    assertEquals("DONE", shell.run("bjobs", "-noheader", "-o", "stat", id).ok());
    String held = shell.run("bsub", "-H", "sleep", "300").ok().replaceAll("\\D*(\\d+).*", "$1");
    assertEquals("PSUSP", shell.run("bjobs", "-noheader", "-o", "stat", held).ok());
    assertEquals("Job <" + held + "> is being terminated", shell.run("bkill", held).ok());
    shell.run("bkill", "4000").fails(255, "Job <4000>: No matching job found");
  }
}

package io.dure.e2e.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code CliFilterPlugins=lua}: a script judges options with the rights of the caller. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class CliFilterLuaTest {
  private static final String ENDED = ": error: cli_filter plugin terminated with error";

  private static final String SITE =
      """
      function slurm_cli_setup_defaults(options, early)
        options["comment"] = os.getenv("SITE_NAME") or "none"
        options["account"] = "default"
        return slurm.SUCCESS
      end

      function slurm_cli_pre_submit(options, offset)
        if options["time"] == nil then
          slurm.log_error("%s: give a time limit", options.type)
          return slurm.ERROR
        end
        if options["job-name"] == "loop" then while true do error("stop") end end
        if options["job-name"] == "print" then print(slurm.json_cli_options(options)) end
        if options["hold"] == nil and options.type == "sbatch" then options["hold"] = true end
        options["exclusive"] = nil
        return slurm.SUCCESS
      end

      function slurm_cli_post_submit(offset, job_id, step_id)
        local log = io.open("filter.log", "a")
        log:write(string.format("%d %d %s\\n", offset, job_id, step_id == slurm.NO_VAL and "-" or step_id))
        log:close()
        return slurm.SUCCESS
      end
      """;

  private static Cluster cluster;
  private final Session shell = cluster.admin().with("SITE_NAME", "north");

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.prepare(Conf.nodes(1, 4).with("CliFilterPlugins", "cli_filter/lua"));
    write(SITE);
    cluster.startAll();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void write(String text) throws IOException {
    Files.writeString(cluster.confFile().resolveSibling("cli_filter.lua"), text);
  }

  @Test
  void defaultsPolicyAndLog() throws IOException {
    write(SITE);
    shell
        .run("sbatch", "--wrap", "true")
        .fails(1, "sbatch: error: sbatch: give a time limit", "sbatch" + ENDED);
    shell
        .run("salloc", "true")
        .fails(1, "salloc: error: salloc: give a time limit", "salloc" + ENDED);
    shell.run("srun", "true").fails(1, "srun: error: srun: give a time limit", "srun" + ENDED);
    int job = shell.submit("-t1", "--exclusive", "-A", "mine", "--wrap", "true");
    assertEquals("mine", cluster.job(job).get("Account"));
    assertEquals("north", cluster.job(job).get("Comment"));
    assertEquals("JobHeldUser", cluster.job(job).get("Reason"));
    assertEquals("OK", cluster.job(job).get("OverSubscribe"));
    String said = shell.run("sbatch", "-t1", "-J", "print", "--wrap", "true").ok();
    assertTrue(said.contains("\"job-name\":\"print\""), said);
    assertTrue(said.contains("\"time\":\"1\""), said);
    shell.run("srun", "-t1", "-Q", "true").ok();
    shell.run("salloc", "-t1", "-Q", "true").ok();
    List<String> log = shell.read("filter.log").lines().toList();
    assertEquals("0 " + job + " -", log.getFirst());
    assertEquals("0 " + (job + 2) + " 0", log.get(2));
    assertEquals("0 " + (job + 3) + " -", log.get(3));
    assertEquals(4, log.size());
  }

  @Test
  void runsWithTheRightsOfTheCaller() throws IOException {
    write(
        """
        function slurm_cli_setup_defaults() return slurm.SUCCESS end
        function slurm_cli_pre_submit(options)
          local pipe = io.popen("id -un; pwd")
          options.comment = pipe:read("a"):gsub("\\n", " ")
          return slurm.SUCCESS
        end
        function slurm_cli_post_submit() return slurm.SUCCESS end
        """);
    Session bob = cluster.as(User.named("dure-bob"));
    int job = bob.submit("-H", "--wrap", "true");
    assertEquals("dure-bob " + bob.directory(), cluster.job(job).get("Comment").strip());
    assertEquals("", bob.run("srun", "-Q", "-n1", "true").ok());
  }

  @Test
  void theNumberComesBeforeWhatFollowsIt() throws IOException {
    write(
        """
        function slurm_cli_setup_defaults() return slurm.SUCCESS end
        function slurm_cli_pre_submit() return slurm.SUCCESS end
        function slurm_cli_post_submit() print("posted") return slurm.SUCCESS end
        """);
    String said = shell.run("sbatch", "-H", "--parsable", "--wrap", "true").ok();
    assertTrue(said.matches("\\d+\nposted\n?"), said);
  }

  /** As a user would answer it; the terminal is that of {@code script}. */
  @Test
  void asksTheUserAtTheTerminal() throws IOException {
    write(
        """
        function slurm_cli_setup_defaults() return slurm.SUCCESS end
        function slurm_cli_pre_submit(options)
          print("Which project?")
          options.comment = io.read("l")
          return slurm.SUCCESS
        end
        function slurm_cli_post_submit() return slurm.SUCCESS end
        """);
    String call = "sbatch -H --parsable --wrap true && cat && echo done";
    String said =
        shell
            .run("sh", "-c", "(echo north; echo for-cat) | script -qefc '" + call + "' /dev/null")
            .whatever();
    assertTrue(said.contains("Which project?"), said);
    String job = said.lines().filter(line -> line.matches("\\d+\\s*")).findFirst().orElse("none");
    assertEquals("north", cluster.job(Integer.parseInt(job.strip())).get("Comment"), said);
    assertTrue(said.contains("done"), "the terminal is the command's again: " + said);
  }

  @Test
  void scriptsThatFail() throws IOException {
    write(SITE);
    String said = shell.run("sbatch", "-t1", "-J", "loop", "--wrap", "true").whatever();
    assertTrue(said.contains("cli_filter.lua:12: stop"), said);
    assertTrue(said.contains("sbatch" + ENDED), said);
    write("function slurm_cli_pre_submit() end");
    said = shell.run("sbatch", "-t1", "--wrap", "true").whatever();
    assertTrue(said.contains("required function slurm_cli_"), said);
    write("function slurm_cli_pre_submit(");
    said = shell.run("sbatch", "-t1", "--wrap", "true").whatever();
    assertTrue(said.contains("cli_filter.lua:1:"), said);
    Path file = cluster.confFile().resolveSibling("cli_filter.lua");
    Files.delete(file);
    said = shell.run("sbatch", "-t1", "--wrap", "true").whatever();
    assertTrue(said.contains("cannot read " + file), said);
    shell.run("squeue", "-h").ok();
  }
}

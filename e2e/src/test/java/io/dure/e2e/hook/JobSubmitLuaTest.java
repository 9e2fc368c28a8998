package io.dure.e2e.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code JobSubmitPlugins=lua} with scripts as sites write them. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class JobSubmitLuaTest {
  private static final String FAILED = "sbatch: error: Batch job submission failed: ";
  private static final String UNSPECIFIED = FAILED + "Unspecified error";

  /** What many sites do: defaults, routing, bounds, and words to the user. */
  private static final String SITE =
      """
      local function has_gpus(job)
        for _, field in ipairs({"tres_per_node", "tres_per_job", "tres_per_task"}) do
          if job[field] and job[field]:find("gpu") then return true end
        end
        return false
      end

      function slurm_job_submit(job_desc, part_list, submit_uid)
        if job_desc.time_limit == slurm.NO_VAL then
          slurm.user_msg("Give a time limit with --time.")
          slurm.user_msg("See the pages of the %s cluster.", "test")
          return slurm.ESLURM_INVALID_TIME_LIMIT
        end
        if job_desc.name == "weigh" then
          slurm.log_user("the job is not accepted")
          return slurm.ERROR
        end
        if has_gpus(job_desc) and job_desc.partition == nil then
          job_desc.partition = "gpu"
        end
        if job_desc.account == nil then
          job_desc.account = job_desc.partition == "gpu" and "accel" or "general"
          slurm.user_msg("account " .. job_desc.account .. " is charged")
        end
        local most = part_list[job_desc.partition or "main"].max_time
        if job_desc.time_limit > most then
          slurm.log_info("limit of %s cut from %d to %d", job_desc.user_name, job_desc.time_limit, most)
          job_desc.time_limit = most
        end
        if job_desc.min_mem_per_node and job_desc.min_mem_per_node > 2000 then
          slurm.user_msg("at most 2000 MB on a node")
          return slurm.ESLURM_INVALID_TASK_MEMORY
        end
        if job_desc.script and job_desc.script:find("forbidden", 1, true) then
          return slurm.ESLURM_NOT_SUPPORTED
        end
        job_desc.comment = "by " .. job_desc.environment["SITE"]
        return slurm.SUCCESS
      end

      function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
        if job_desc.time_limit ~= slurm.NO_VAL and job_desc.time_limit > job_rec.time_limit then
          slurm.user_msg("limits are not raised")
          return slurm.ESLURM_ACCESS_DENIED
        end
        if job_desc.comment then
          job_desc.comment = job_rec.name .. ": " .. job_desc.comment
        end
        return slurm.SUCCESS
      end

      return slurm.SUCCESS
      """;

  private static Cluster cluster;
  private static long written;
  private final Session shell = cluster.admin().with("SITE", "north");

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 4)
                .with("JobSubmitPlugins", "lua")
                .with("ScronParameters", "enable")
                .line("PartitionName=gpu Nodes=ALL MaxTime=60 State=UP"));
    write(SITE);
    cluster.startAll();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Path file() {
    return cluster.confFile().resolveSibling("job_submit.lua");
  }

  private static void write(String text) throws IOException {
    Files.writeString(file(), text);
    Files.setLastModifiedTime(file(), FileTime.fromMillis(1_000_000_000_000L + ++written * 1000));
  }

  private static String submits(String body) {
    return "function slurm_job_submit(job_desc, part_list, uid)\n"
        + body
        + "\nend\nfunction slurm_job_modify() return slurm.SUCCESS end\n";
  }

  @Test
  void aSitesRules() throws IOException {
    write(SITE);
    shell
        .run("sbatch", "--wrap", "true")
        .fails(
            1,
            "sbatch: error: Give a time limit with --time.",
            "sbatch: error: See the pages of the test cluster.",
            FAILED + "Requested time limit is invalid (missing or exceeds some limit)");
    shell
        .run("sbatch", "-t1", "-J", "weigh", "--wrap", "true")
        .fails(1, "sbatch: error: the job is not accepted", UNSPECIFIED);
    shell
        .run("sbatch", "-t1", "--mem=3G", "--wrap", "true")
        .fails(
            1,
            "sbatch: error: account general is charged",
            "sbatch: error: at most 2000 MB on a node",
            FAILED + "Memory required by task is not available");
    shell
        .run("sbatch", "-t1", "-A", "a", "--wrap", "echo forbidden")
        .fails(1, FAILED + "Requested operation not supported on this system");
    String said =
        shell
            .run("sbatch", "-H", "-p", "gpu", "-t", "1-0", "--wrap", "true")
            .okSaying("sbatch: account accel is charged");
    int job = Integer.parseInt(said.replaceAll("\\D", ""));
    assertEquals("accel", cluster.job(job).get("Account"));
    assertEquals("01:00:00", cluster.job(job).get("TimeLimit"));
    assertEquals("by north", cluster.job(job).get("Comment"));
    shell
        .run("scontrol", "update", "job", "" + job, "timelimit=2:00:00")
        .fails(
            1, "scontrol: error: limits are not raised", "Access/permission denied for job " + job);
    shell.run("scontrol", "update", "job", "" + job, "timelimit=30", "comment=later").ok();
    assertEquals("00:30:00", cluster.job(job).get("TimeLimit"));
    assertEquals("wrap: later", cluster.job(job).get("Comment"));
    cluster.controller().kill9();
    cluster.controller().start();
    assertEquals("wrap: later", cluster.job(job).get("Comment"), "what is stored is the result");
    shell.run("scancel", "" + job).ok();
  }

  @Test
  void entriesOfCrontabs() throws IOException {
    write(SITE);
    shell.script("crontab", "SITE=south\n#SCRON -t 5 -J yearly\n0 0 1 1 * true\n");
    shell.run("scrontab", "crontab").okSaying("scrontab: account general is charged");
    assertEquals("general by south", shell.run("squeue", "-h", "-n", "yearly", "-o", "%a %k").ok());
    shell.script("crontab", "SITE=south\n#SCRON -t 5\n0 0 1 1 * true\n@daily true\n");
    shell
        .run("scrontab", "crontab")
        .fails(
            1,
            "scrontab: error: account general is charged",
            "scrontab: error: Give a time limit with --time.",
            "scrontab: error: See the pages of the test cluster.",
            "scrontab: error: line 4: Requested time limit is invalid (missing or exceeds some"
                + " limit)",
            "There are errors in your crontab.");
    shell.run("scrontab", "-r").okSilently();
    assertEquals("", shell.run("squeue", "-h", "-n", "yearly").ok());
  }

  @Test
  void allocationsArraysAndComponents() throws IOException {
    write(
        submits(
            """
              if job_desc.name == "no" then
                slurm.user_msg("not today")
                return slurm.ERROR
              end
              job_desc.comment = "part " .. (job_desc.het_job_offset == slurm.NO_VAL and "-" or job_desc.het_job_offset)
                .. " array " .. (job_desc.array_inx or "-")
                .. " tasks " .. (job_desc.num_tasks == slurm.NO_VAL and "-" or job_desc.num_tasks)
              if job_desc.script then job_desc.cpus_per_task = 2 end
              return slurm.SUCCESS
            """));
    int array = shell.submit("-H", "-a", "1-2", "-n", "1", "--wrap", "true");
    assertEquals("part - array 1-2 tasks 1", cluster.job(array).get("Comment"));
    assertEquals("2", cluster.job(array).get("CPUs/Task"));
    int het = shell.submit("-H", "-n1", ":", "-n1", "--wrap", "true");
    assertEquals("part 0 array - tasks 1", cluster.job(het).get("Comment"));
    assertEquals("part 1 array - tasks 1", cluster.job(het + 1).get("Comment"));
    shell.run("scancel", "" + array, "" + het).ok();
    shell
        .run("salloc", "-J", "no", "true")
        .fails(
            1,
            "salloc: error: not today",
            "salloc: error: Job submit/allocate failed: Unspecified error");
    shell
        .run("srun", "-J", "no", "true")
        .fails(
            1,
            "srun: error: not today",
            "srun: error: Unable to allocate resources: Unspecified error");
    shell
        .run("sbatch", "--test-only", "-J", "no", "--wrap", "true")
        .fails(1, "sbatch: error: not today", "allocation failure: Unspecified error");
    assertEquals(
        "2",
        shell
            .run("srun", "-Q", "-n2", "sh", "-c", "echo $SLURM_NTASKS")
            .ok()
            .lines()
            .findFirst()
            .orElse(""));
  }

  @Test
  void scriptsThatMisbehave() throws IOException {
    write(submits("while true do end"));
    shell.run("sbatch", "--wrap", "true").fails(1, UNSPECIFIED);
    write(submits("error('boom')"));
    shell.run("sbatch", "--wrap", "true").fails(1, UNSPECIFIED);
    write(submits("job_desc.time_limit = 'soon'"));
    shell.run("sbatch", "--wrap", "true").fails(1, UNSPECIFIED);
    write(submits("job_desc.comment = string.rep('x', 100000) return 0"));
    shell
        .run("sbatch", "--wrap", "true")
        .fails(
            1,
            "sbatch: error: comment: 100000 bytes, at most 1024 are taken",
            FAILED + "Pathname of a file, directory or other parameter too long");
    write(submits("job_desc.dependency = 'whatever' return 0"));
    shell.run("sbatch", "--wrap", "true").fails(1, UNSPECIFIED);
    write(submits("return 'yes'"));
    shell.run("sbatch", "-H", "--wrap", "true").ok();
    write("function slurm_job_submit(");
    shell.run("sbatch", "-H", "--wrap", "true").ok();
    Files.delete(file());
    shell.run("sbatch", "-H", "--wrap", "true").ok();
    String log = Files.readString(cluster.dir().resolve("log/controller.log"));
    for (String words :
        new String[] {
          "takes longer than 5 s",
          "boom",
          "job_desc.time_limit: number expected, got string",
          "job_desc.dependency cannot be",
          "slurm_job_submit: non-numeric return code",
          "the last text that could be loaded stays in force"
        }) {
      assertTrue(log.contains(words), words);
    }
    // A controller that never had a right one accepts nothing.
    cluster.controller().kill9();
    cluster.controller().start();
    shell.run("sbatch", "--wrap", "true").fails(1, UNSPECIFIED);
    write(submits("return slurm.SUCCESS"));
    shell.run("sbatch", "-H", "--wrap", "true").ok();
    shell.run("scancel", "-u", cluster.admin().user().name()).ok();
  }
}

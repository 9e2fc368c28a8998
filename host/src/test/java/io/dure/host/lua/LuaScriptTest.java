package io.dure.host.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** Scripts of sites, run by the program that runs them, and those that misbehave. */
@Tag("process")
class LuaScriptTest {
  private static final String MODIFY =
      "function slurm_job_modify(job, record, parts, uid) return slurm.SUCCESS end\n";

  @TempDir private Path directory;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private LuaScript script;
  private LuaBounds bounds = new LuaBounds(64, 2, 2);
  private long changes;

  @BeforeAll
  static void findsTheProgram() {
    System.setProperty("dure.home", "..");
  }

  @AfterEach
  void end() {
    if (script != null) {
      script.close();
    }
  }

  private Path file() {
    return directory.resolve("job_submit.lua");
  }

  private void write(String text) throws IOException {
    Files.writeString(file(), text);
    // Two writes within one tick of the file system's clock look alike.
    Files.setLastModifiedTime(file(), FileTime.fromMillis(1_000_000_000_000L + ++changes * 1000));
    if (script == null) {
      script =
          new LuaScript(
              new LuaProgram(file(), "job_submit.lua", bounds, Map.of("ESLURM_INVALID_QOS", 2066L)),
              NOPLogger.NOP_LOGGER);
    }
  }

  private void submits(String body) throws IOException {
    write(
        "function slurm_job_submit(job_desc, part_list, submit_uid)\n" + body + "\nend\n" + MODIFY);
  }

  private Map<?, ?> call(Map<String, Object> fields) throws LuaException, InterruptedException {
    return (Map<?, ?>)
        script.call(
            Map.ofEntries(
                Map.entry("op", "submit"),
                Map.entry("fields", fields),
                Map.entry(
                    "kinds",
                    Map.of(
                        "account",
                        "s",
                        "name",
                        "s",
                        "time_limit",
                        "n",
                        "pn_min_memory",
                        "n",
                        "min_mem_per_cpu",
                        "n",
                        "min_mem_per_node",
                        "n",
                        "script",
                        "s",
                        "environment",
                        "s")),
                Map.entry("script", true),
                Map.entry("alias", Map.of("job_name", "name")),
                Map.entry("environment", true),
                Map.entry("partitions", Map.of("gpu", Map.of("name", "gpu", "max_time", 60L))),
                Map.entry("qos", Map.of("high", 1000L)),
                Map.entry("uid", 1001L)),
            (what, value) -> {
              if (what.equals("log")) {
                log.add(((Map<?, ?>) value).get(1L) + ": " + ((Map<?, ?>) value).get(2L));
                return null;
              }
              if (what.equals("script")) {
                return new byte[] {'#', '!', (byte) 0xe9};
              }
              return what.equals("environment")
                  ? new TreeMap<>(Map.of("HOME", "/home/ann"))
                  : what.equals("jobs") ? part((Long) value) : job((Long) value);
            });
  }

  private static @Nullable Map<String, Object> job(Long id) {
    return id == 7 ? Map.of("job_id", 7L, "name", "seven") : null;
  }

  /** Three jobs, two at a time. */
  private static List<Map<String, Object>> part(Long from) {
    return List.of(7L, 9L, 12L).stream()
        .skip(from)
        .limit(2)
        .map(id -> Map.<String, Object>of("job_id", id, "name", "job" + id))
        .toList();
  }

  @Test
  void jobsComeInParts() throws Exception {
    submits(
        """
          local names = {}
          for id, job in pairs(slurm.jobs) do
            for other in pairs(slurm.jobs) do
              if other == id then names[#names + 1] = id .. job.name end
            end
          end
          job_desc.name = table.concat(names, " ") .. slurm.jobs[7].name .. tostring(slurm.jobs[8])
        """);
    assertEquals("7job7 9job9 12job12sevennil", changes(call(Map.of())).get("name"));
  }

  private Map<?, ?> changes(Map<?, ?> answer) {
    return (Map<?, ?>) answer.get("changes");
  }

  @Test
  void readsAndWritesFields() throws Exception {
    submits(
        """
          if job_desc.account == nil then job_desc.account = "physics" end
          job_desc.time_limit = math.min(job_desc.time_limit, part_list.gpu.max_time)
          job_desc.job_name = string.format("%s-%d-%s", job_desc.name, submit_uid, 7 // 2)
          slurm.log_info("user %d in %s", submit_uid, job_desc.environment.HOME)
          slurm.user_msg("first")
          slurm.user_msg("%d of %s", 2, "two")
          if slurm.jobs[7].name ~= "seven" or slurm.get_qos_priority("high") ~= 1000 then
            return slurm.ERROR
          end
          job_desc.environment["QUEUE"] = "gpu"
          return slurm.SUCCESS
        """);
    Map<?, ?> answer = call(Map.of("time_limit", 600L, "name", "naïve ☃ \uD83D\uDE00"));
    assertEquals(0L, answer.get("code"));
    assertEquals("first\n2 of two", answer.get("messages"));
    assertEquals(List.of("info: user 1001 in /home/ann"), log);
    assertEquals(
        Map.of(
            "account",
            "physics",
            "time_limit",
            60L,
            "name",
            "naïve ☃ \uD83D\uDE00-1001-3",
            "environment",
            Map.of("QUEUE", "gpu")),
        changes(answer));
  }

  @Test
  void keepsThreeWordsForMemoryTogether() throws Exception {
    submits(
        """
          if job_desc.pn_min_memory ~= slurm.NO_VAL64 then return 1 end
          job_desc.min_mem_per_cpu = 4096
          if job_desc.min_mem_per_node ~= nil then return 2 end
          if job_desc.pn_min_memory <= slurm.MEM_PER_CPU then return 3 end
          job_desc.pn_min_memory = 2048
          if job_desc.min_mem_per_cpu ~= nil or job_desc.min_mem_per_node ~= 2048 then return 4 end
        """);
    Map<?, ?> answer = call(Map.of("pn_min_memory", 0x1p64));
    assertEquals(0L, answer.get("code"));
    assertEquals(Map.of("pn_min_memory", 2048L, "min_mem_per_node", 2048L), changes(answer));
    assertEquals(List.of("info: slurm_job_submit: non-numeric return code"), log);
  }

  @Test
  void refusesByCodesAlsoThoseItDoesNotKnow() throws Exception {
    submits("return slurm.ESLURM_INVALID_QOS");
    assertEquals(2066L, call(Map.of()).get("code"));
    submits("return slurm.ESLURM_OF_ANOTHER_RELEASE");
    assertEquals(-1L, call(Map.of()).get("code"));
    submits("return \"0\"");
    assertEquals(0L, call(Map.of()).get("code"));
  }

  @Test
  void tellsWhereAScriptFailed() throws Exception {
    submits("return job_desc.account .. part_list.none.name");
    Map<?, ?> answer = call(Map.of());
    assertEquals(-1L, answer.get("code"));
    assertTrue(answer.get("why").toString().contains("job_submit.lua:2:"), answer.toString());
    submits("job_desc.time_limit = {}");
    String why = call(Map.of()).get("why").toString();
    assertTrue(why.contains("job_desc.time_limit: number expected, got table"), why);
    submits("job_desc.colour = \"red\"");
    assertEquals(0L, call(Map.of()).get("code"));
    assertTrue(log.contains("error: job_desc.colour cannot be set"), log.toString());
  }

  @Test
  void keepsTheLastTextThatCouldBeLoaded() throws Exception {
    write("function slurm_job_submit( return end");
    LuaException broken = assertThrows(LuaException.class, () -> call(Map.of()));
    assertTrue(broken.getMessage().contains("job_submit.lua:1:"), broken.getMessage());
    write("function slurm_job_submit() return 0 end");
    broken = assertThrows(LuaException.class, () -> call(Map.of()));
    assertTrue(broken.getMessage().contains("slurm_job_modify is missing"), broken.getMessage());
    submits("return 11");
    assertEquals(11L, call(Map.of()).get("code"));
    write("function slurm_job_submit() return 12 end error('no')");
    assertEquals(11L, call(Map.of()).get("code"));
    write("while true do end");
    assertEquals(11L, call(Map.of()).get("code"));
    Files.delete(file());
    assertEquals(11L, call(Map.of()).get("code"));
    submits("return 13");
    assertEquals(13L, call(Map.of()).get("code"));
  }

  @Test
  void withoutAFileNothingIsAnswered() {
    script =
        new LuaScript(
            new LuaProgram(file(), "job_submit.lua", LuaBounds.USUAL, Map.of()),
            NOPLogger.NOP_LOGGER);
    LuaException missing = assertThrows(LuaException.class, () -> call(Map.of()));
    assertTrue(missing.getMessage().contains("cannot read"), missing.getMessage());
  }

  @Test
  void endsWhatDoesNotEnd() throws Exception {
    submits("while true do end");
    Map<?, ?> answer = call(Map.of());
    assertEquals(-1L, answer.get("code"));
    String why = answer.get("why").toString();
    assertTrue(why.contains("takes longer than 2 s"), why);
    submits("while true do pcall(function() while true do end end) end");
    assertThrows(LuaException.class, () -> call(Map.of()));
    submits("string.rep('a', 30):find(string.rep('a?', 30) .. string.rep('a*', 30) .. 'b')");
    assertThrows(LuaException.class, () -> call(Map.of()));
    submits("while true do slurm.log_info('again') end");
    assertEquals(-1L, call(Map.of()).get("code"));
    submits("os.exit(0)");
    assertThrows(LuaException.class, () -> call(Map.of()));
    submits("return 0");
    assertEquals(0L, call(Map.of()).get("code"));
  }

  @Test
  void boundsItsMemory() throws Exception {
    submits("local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 1000) .. i end");
    String why = call(Map.of()).get("why").toString();
    assertTrue(why.contains("not enough memory"), why);
    submits("job_desc.account = string.rep('x', 1 << 30)");
    why = call(Map.of()).get("why").toString();
    assertTrue(why.contains("not enough memory"), why);
    submits("return 0");
    assertEquals(0L, call(Map.of()).get("code"));
  }

  @Test
  void printsDoNotDisturb() throws Exception {
    submits("print('to the log') io.write('and this') os.execute('true') return io.read() or 5");
    assertEquals(5L, call(Map.of()).get("code"));
  }

  @Test
  void startsProgramsAndReadsThem() throws Exception {
    submits(
        """
          local pipe = io.popen("echo one; echo two; exit 3")
          local first, rest = pipe:read("l"), pipe:read("a")
          local ok, how, code = pipe:close()
          local sum = 0
          for line in io.popen("seq 3"):lines() do sum = sum + tonumber(line) end
          local file = os.tmpname()
          local out = io.popen("cat >" .. file, "w")
          out:write("x", 1)
          local written = out:close() and io.open(file):read("a")
          os.remove(file)
          job_desc.name = string.format("%s %s%s %s %d %d %s", first, rest, ok, how, code, sum, written)
        """);
    assertEquals("one two\nnil exit 3 6 x1", changes(call(Map.of())).get("name"));
  }

  @Test
  void aSlowScriptLeavesRoomForOthers() throws Exception {
    bounds = new LuaBounds(64, 60, 2);
    List<Object> codes = Collections.synchronizedList(new ArrayList<>());
    Thread slow = startSlow(codes);
    assertEquals(0L, call(Map.of("name", "quick")).get("code"));
    assertEquals(List.of(), codes);
    Files.createFile(directory.resolve("go"));
    slow.join();
    assertEquals(List.of(21L), codes);
  }

  /** A call that has begun, and ends with the code 21 once there is a file. */
  private Thread startSlow(List<Object> codes) throws IOException {
    Path go = directory.resolve("go");
    Path inside = directory.resolve("inside");
    submits(
        "if job_desc.name == 'slow' then io.open('"
            + inside
            + "', 'w'):close() while not io.open('"
            + go
            + "') do end return 21 end");
    Thread slow =
        Thread.ofPlatform()
            .start(() -> {
              try {
                codes.add(call(Map.of("name", "slow")).get("code"));
              } catch (LuaException | InterruptedException e) {
                codes.add(e);
              }
            });
    Await.seconds(30).until("the slow call has begun", () -> Files.exists(inside));
    return slow;
  }

  @Test
  void doesNotWaitForLongWhereAllProcessesAreTaken() throws Exception {
    bounds = new LuaBounds(64, 60, 1);
    List<Object> codes = Collections.synchronizedList(new ArrayList<>());
    Thread slow = startSlow(codes);
    LuaException busy = assertThrows(LuaException.class, () -> call(Map.of("name", "quick")));
    assertTrue(busy.isBusy(), busy.getMessage());
    Files.createFile(directory.resolve("go"));
    slow.join();
    assertEquals(List.of(21L), codes);
    assertEquals(0L, call(Map.of("name", "quick")).get("code"));
  }

  /** A machine that is slow for a moment must not cost a right text its place. */
  @Test
  void loadsATextAgainWhoseProcessEnded() throws Exception {
    Path go = directory.resolve("go");
    write(
        "if not io.open('"
            + go
            + "') then os.exit(1) end\nfunction slurm_job_submit() return 31 end\n"
            + MODIFY);
    assertFalse(assertThrows(LuaException.class, () -> call(Map.of())).isBusy());
    Files.createFile(go);
    Await.seconds(30)
        .until("the text is in force", () -> Long.valueOf(31).equals(call(Map.of()).get("code")));
  }

  @Test
  void programsOfTheScriptEndWithIt() throws Exception {
    Path number = directory.resolve("number");
    for (String body :
        new String[] {
          "os.execute('echo $$ >" + number + "; exec sleep 1000')",
          "io.popen('echo $$ >" + number + "; exec sleep 1000')",
          "os.execute('sleep 1000 & echo $! >"
              + number
              + "') while true do pcall(function() while true do end end) end"
        }) {
      submits(body);
      assertThrows(LuaException.class, () -> call(Map.of()));
      long pid = Long.parseLong(Files.readString(number).strip());
      Await.seconds(30)
          .until(body, () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }
  }

  @Test
  void aProgramThatDoesNotReadEndsNothing() throws Exception {
    submits(
        """
          local pipe = io.popen("exec true", "w")
          pipe:write(string.rep("x", 1 << 20))
          pipe:close()
          local _, how, signal = io.popen("kill -PIPE $$; exit 7"):close()
          return how == "signal" and signal or -2
        """);
    assertEquals(13L, call(Map.of()).get("code"));
  }

  @Test
  void aScriptOfAJobMayHaveAnyBytes() throws Exception {
    submits("job_desc.script = job_desc.script .. '\\195\\169\\255' return 0");
    assertEquals("#!\u00e9\u00c3\u00a9\u00ff", changes(call(Map.of())).get("script"));
  }

  @Test
  void theTimeOfSlurmInMinutes() throws Exception {
    submits(
        """
          local read = {}
          for _, text in ipairs({"30", "30:10", "1:30:00", "2-0", "1-12:30", "unlimited", "x"}) do
            read[#read + 1] = tostring(slurm.time_str2mins(text))
          end
          job_desc.name = table.concat(read, " ")
        """);
    assertEquals("30 31 90 2880 2190 4294967295 4294967294", changes(call(Map.of())).get("name"));
  }
}

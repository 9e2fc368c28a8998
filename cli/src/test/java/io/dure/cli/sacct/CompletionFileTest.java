package io.dure.cli.sacct;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sacct -c} reads of files of JobCompType, and with whose rights. */
@Tag("process")
class CompletionFileTest {
  private static final String LINE =
      "JobId=%d UserId=alice(1001) GroupId=alice(1001) Name=%s JobState=COMPLETED Partition=debug"
          + " TimeLimit=10 StartTime=2026-11-20T10:00:00 EndTime=2026-11-20T10:01:00 NodeList=n1"
          + " NodeCnt=1 ProcCnt=2 WorkDir=/home ReservationName= Tres=cpu=2 Account=lab QOS=normal"
          + " WcKey= Cluster=c SubmitTime=2026-11-20T10:00:00 EligibleTime=2026-11-20T10:00:00"
          + " DerivedExitCode=0:0 ExitCode=0:0\n";

  @TempDir Path directory;
  private final FakeContext world = new FakeContext();
  private Path file;

  @BeforeEach
  void begin() throws IOException {
    file = Files.writeString(directory.resolve("jobs"), LINE.formatted(7, "mine"));
  }

  private int sacct(String... words) {
    List<String> all = new ArrayList<>(List.of("sacct", "-c", "-n", "-P", "-o"));
    all.addAll(List.of("jobid,jobname,partition,state,end,ncpus,exitcode"));
    all.addAll(List.of(words));
    return new Sacct().run(world.call(all.toArray(String[]::new)));
  }

  @Test
  void whatTheCallerMayNotReadIsNotReadForIt() {
    world.controller =
        new ScriptedController()
            .answer(
                new Response.Text(
                    List.of("JobCompLoc = " + file, "JobCompType             = jobcomp/filetxt")));
    world.unreadable.add(file);
    assertEquals(1, sacct());
    assertEquals(1, sacct("-f", file.toString()));
    String denied = "sacct: error: open: Permission denied\n";
    assertEquals(denied + denied, world.errors());
    assertEquals("", world.printed());
  }

  @Test
  void aNameThatLooksLikeFurtherKeysIsAName() throws IOException {
    String spoof = "a HetJobOffset=1 JobState=FAILED Partition=x ExitCode=9:9";
    Files.writeString(file, LINE.formatted(8, spoof));
    assertEquals(0, sacct("-f", file.toString()));
    assertEquals("8|" + spoof + "|debug|COMPLETED|2026-11-20T10:01:00|2|0:0\n", world.printed());
  }

  @Test
  void linesOfOtherKindsAreLeftOut() throws IOException {
    Files.writeString(
        file, "x".repeat(3 << 20) + "\n{\"jobid\":\n" + LINE.formatted(9, "b").strip());
    assertEquals(0, sacct("-f", file.toString()));
    assertEquals("9|b|debug|COMPLETED|2026-11-20T10:01:00|2|0:0\n", world.printed());
  }
}

package io.dure.node.launch;

import static io.dure.testkit.step.StepConnection.written;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.StepEnd;
import io.dure.node.job.StepEndMapper;
import io.dure.testkit.Await;
import io.dure.testkit.step.MpiFrontEnd;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * PMI-1 and PMI-2 as tasks speak them, with clients that are shell scripts, on real shepherds and
 * MPI servers of two nodes; the test is the front end between them.
 */
@Tag("process")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PmiTest {
  private static final Path PROGRAMS = Path.of("target").toAbsolutePath();

  /** One request and its answer in PMI-1. */
  private static final String PMI_1 =
      """
      ask() { printf '%s\\n' "$1" >&$PMI_FD; IFS= read -r -u $PMI_FD answer; echo "$answer"; }
      ask 'cmd=init pmi_version=1 pmi_subversion=1' >/dev/null
      """;

  /** With all tasks of all nodes. */
  private static final String BEGUN = PMI_1 + "ask cmd=barrier_in >/dev/null\n";

  private static final String PMI_2 =
      """
      hear() { read -r -N 6 -u $PMI_FD length; read -r -N $length -u $PMI_FD answer; echo "$answer"; }
      ask() { printf '%-6d%s' ${#1} "$1" >&$PMI_FD; hear; }
      printf 'cmd=init pmi_version=2 pmi_subversion=0\\n' >&$PMI_FD
      IFS= read -r -u $PMI_FD answer
      ask "cmd=fullinit;pmijobid=$PMI_JOBID;pmirank=$PMI_RANK;threaded=FALSE;"
      """;

  private SpawnerProcess spawner;
  private MpiFrontEnd front;

  @BeforeEach
  void open() throws Exception {
    spawner = new SpawnerProcess(PROGRAMS, true);
    front = new MpiFrontEnd();
  }

  @AfterEach
  void close() throws Exception {
    front.close();
    spawner.close();
  }

  /** Ranks 0 and 2 on the first node, 1 and 3 on the second. */
  private List<List<StepFrame>> run(String script) throws Exception {
    return run("pmi2", script);
  }

  private List<List<StepFrame>> run(String mpi, String script) throws Exception {
    for (int node = 0; node < 2; node++) {
      List<String> entries = new ArrayList<>(List.of("tasks=2", "node=" + node, "killwait=1"));
      entries.addAll(List.of("rank=" + node, "rank=" + (node + 2), "mpi=" + mpi, "mpi_token=abc"));
      entries.addAll(List.of("mpi_step=1.0", "mpi_index=" + node));
      entries.addAll(List.of("mpi_node=n1:0,2", "mpi_node=n2:1,3"));
      entries.addAll(List.of("stdin=r:/dev/null", "stdout=s:", "stderr=s:"));
      entries.addAll(List.of("arg=/bin/bash", "arg=-c", "arg=" + script));
      front.launch(spawner.socket, SpawnerProcess.launch(entries));
    }
    return front.ended();
  }

  private static String outputOf(List<List<StepFrame>> frames, int rank) {
    return written(frames.get(rank % 2), 'O', rank);
  }

  private static String errorsOf(List<List<StepFrame>> frames) {
    // Several nodes may say the same; the front end prints the first.
    List<String> texts =
        frames.stream()
            .flatMap(List::stream)
            .filter(frame -> frame.type() == 'A')
            .map(frame -> frame.text(1).replace("\0", ""))
            .distinct()
            .toList();
    return String.join("|", texts);
  }

  private static List<Integer> statuses(List<List<StepFrame>> frames) {
    return frames.stream()
        .flatMap(List::stream)
        .filter(frame -> frame.type() == 'X')
        .sorted((a, b) -> Integer.compare(a.number(0), b.number(0)))
        .map(frame -> frame.number(1))
        .toList();
  }

  @Test
  void pmi1GivesToAllWhatEachHasPut() throws Exception {
    var frames =
        run(
            PMI_1
                + """
                echo $PMI_RANK of $PMI_SIZE in $PMI_JOBID
                ask 'cmd=get_maxes'
                ask 'cmd=get_my_kvsname'
                ask 'cmd=get kvsname=1.0 key=PMI_process_mapping'
                ask "cmd=put kvsname=1.0 key=card-$PMI_RANK value=port $PMI_RANK a=b"
                ask 'cmd=barrier_in'
                ask "cmd=get kvsname=1.0 key=card-$(( ($PMI_RANK + 1) % 4 ))"
                ask 'cmd=get kvsname=1.0 key=none'
                ask 'cmd=get_universe_size'
                ask 'cmd=finalize'
                """);
    for (int rank = 0; rank < 4; rank++) {
      int next = (rank + 1) % 4;
      assertEquals(
          """
          %d of 4 in 1.0
          cmd=maxes rc=0 kvsname_max=256 keylen_max=256 vallen_max=1024
          cmd=my_kvsname rc=0 kvsname=1.0
          cmd=get_result rc=0 value=(vector,(0,2,1),(0,2,1))
          cmd=put_result rc=0
          cmd=barrier_out rc=0
          cmd=get_result rc=0 value=port %d a=b
          cmd=get_result rc=-1 msg=key_none_not_found value=unknown
          cmd=universe_size rc=0 size=4
          cmd=finalize_ack rc=0
          """
              .formatted(rank, next),
          outputOf(frames, rank));
    }
    assertEquals(List.of(0, 0, 0, 0), statuses(frames));
  }

  @Test
  void pmi2AnswersByLengthAndDoublesSemicolons() throws Exception {
    var frames =
        run(
            PMI_2
                + """
                ask 'cmd=job-getid;'
                ask 'cmd=info-getjobattr;key=universeSize;'
                ask "cmd=kvs-put;key=card-$PMI_RANK;value=a;;b=$PMI_RANK;"
                ask 'cmd=kvs-fence;'
                ask "cmd=kvs-get;jobid=1.0;srcid=-1;key=card-$(( ($PMI_RANK + 3) % 4 ));"
                ask 'cmd=kvs-get;jobid=1.0;srcid=-1;key=none;'
                [ $PMI_RANK -lt 2 ] || ask "cmd=info-putnodeattr;key=k;value=of $PMI_RANK;" >/dev/null
                ask 'cmd=info-getnodeattr;key=k;wait=TRUE;'
                [ $PMI_RANK != 3 ] || ask 'cmd=name-publish;name=here;port=77;infokeycount=0;' >/dev/null
                ask 'cmd=kvs-fence;'
                ask 'cmd=name-lookup;name=here;infokeycount=0;'
                ask 'cmd=spawn;ncmds=1;'
                ask 'cmd=kvs-fence;' >/dev/null
                ask 'cmd=finalize;'
                """);
    assertEquals("", errorsOf(frames));
    for (int rank = 0; rank < 4; rank++) {
      assertEquals(
          """
          cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=%d;size=4;appnum=-1;debugged=FALSE;pmiverbose=FALSE;
          cmd=job-getid-response;rc=0;jobid=1.0;
          cmd=info-getjobattr-response;rc=0;found=TRUE;value=4;
          cmd=kvs-put-response;rc=0;
          cmd=kvs-fence-response;rc=0;
          cmd=kvs-get-response;rc=0;found=TRUE;value=a;;b=%d;
          cmd=kvs-get-response;rc=0;found=FALSE;
          cmd=info-getnodeattr-response;rc=0;found=TRUE;value=of %d;
          cmd=kvs-fence-response;rc=0;
          cmd=name-lookup-response;rc=0;value=77;
          cmd=spawn-response;rc=1;errmsg=not supported;
          cmd=finalize-response;rc=0;
          """
              .formatted(rank, (rank + 3) % 4, 2 + rank % 2),
          outputOf(frames, rank));
    }
    assertEquals(List.of(0, 0, 0, 0), statuses(frames), frames::toString);
  }

  @Test
  void aTaskThatDiesBeforeABarrierEndsTheStep() throws Exception {
    for (int dying = 0; dying < 4; dying++) {
      var frames = run(BEGUN + "[ $PMI_RANK != " + dying + " ] || exit 3\nask cmd=barrier_in");
      assertEquals(3 << 8, statuses(frames).get(dying), frames::toString);
      assertEquals(3, statuses(frames).stream().filter(status -> status == 9).count());
      assertEquals(
          "mpi/pmi2: task %d has ended without finalizing MPI".formatted(dying), errorsOf(frames));
    }
  }

  @Test
  void aBarrierDoesNotWaitForATaskThatHasEnded() throws Exception {
    for (int missing = 0; missing < 4; missing++) {
      var frames = run(BEGUN + "[ $PMI_RANK != " + missing + " ] || exit 0\nask cmd=barrier_in");
      assertEquals(0, statuses(frames).get(missing), frames::toString);
      assertEquals(3, statuses(frames).stream().filter(status -> status == 9).count());
      assertEquals(
          "mpi/pmi2: task %d has ended, and others wait for it in a barrier".formatted(missing),
          errorsOf(frames));
    }
  }

  @Test
  void aBarrierDoesNotWaitForANodeThatIsDone() throws Exception {
    for (int done = 0; done < 2; done++) {
      var frames =
          run(BEGUN + "[ $((PMI_RANK % 2)) != " + done + " ] || exit 0\nask cmd=barrier_in");
      assertEquals(9, statuses(frames).get(1 - done), frames::toString);
      assertEquals(9, statuses(frames).get(3 - done), frames::toString);
    }
  }

  @Test
  void whoNeverUsedMpiMayEndAsItLikes() throws Exception {
    var frames = run("[ $PMI_RANK != 1 ] || kill -9 $$; [ $PMI_RANK != 2 ] || exit 3; sleep 0.2");
    assertEquals(List.of(0, 9, 3 << 8, 0), statuses(frames));
  }

  @Test
  void aTaskThatAbortsEndsTheStep() throws Exception {
    var frames =
        run(BEGUN + "[ $PMI_RANK != 3 ] || ask 'cmd=abort exitcode=5'; ask cmd=barrier_in");
    assertEquals(List.of(9, 9, 9, 9), statuses(frames));
    assertEquals("", errorsOf(frames));
  }

  @Test
  void whatIsNoRequestEndsTheStep() throws Exception {
    String wait = "; exec sleep 100";
    String first = "[ $PMI_RANK = 0 ] && ";
    var noPmi = run(first + "echo hello >&$PMI_FD" + wait);
    assertTrue(statuses(noPmi).stream().allMatch(status -> status == 9), noPmi::toString);
    assertEquals(
        "mpi/pmi2: task 0 sent something that is neither PMI-1 nor PMI-2", errorsOf(noPmi));
    var endless = run(first + "exec tr '\\0' x </dev/zero >&$PMI_FD 2>/dev/null" + wait);
    assertEquals("mpi/pmi2: task 0 sent a line without an end", errorsOf(endless));
    var zeros = run(BEGUN + first + "exec cat /dev/zero >&$PMI_FD 2>/dev/null" + wait);
    assertEquals("mpi/pmi2: task 0 sent a line without an end", errorsOf(zeros));
    var length =
        run(PMI_2 + "ask 'cmd=kvs-fence;'\n" + first + "exec yes >&$PMI_FD 2>/dev/null" + wait);
    assertEquals("mpi/pmi2: task 0 sent no length of a request", errorsOf(length));
  }

  @Test
  void whatTasksPutIsBounded() throws Exception {
    var frames =
        run(
            PMI_1
                + """
                [ $PMI_RANK = 0 ] || exec sleep 100
                value=$(printf '%060000d' 0)
                for ((i = 0; i < 1400; i++)); do
                  ask "cmd=put kvsname=1.0 key=k$i value=$value" >/dev/null
                  [ "$answer" = 'cmd=put_result rc=0' ] || { echo "$answer"; break; }
                done
                ask 'cmd=abort exitcode=1'
                """);
    assertEquals("cmd=put_result rc=-1 msg=not_put\n", outputOf(frames, 0));
  }

  @Test
  void thereMayBeMoreTasksThanFilesByDefault() throws Exception {
    List<String> entries = new ArrayList<>(List.of("tasks=600", "node=0", "killwait=1"));
    for (int rank = 0; rank < 600; rank++) {
      entries.add("rank=" + rank);
    }
    entries.addAll(List.of("mpi=pmi2", "mpi_node=n1:0-599", "stdin=r:/dev/null", "stdout=s:"));
    entries.addAll(List.of("arg=/bin/true"));
    front.launch(spawner.socket, SpawnerProcess.launch(entries));
    assertEquals(Collections.nCopies(600, 0), statuses(front.ended()));
  }

  @Test
  void whoCancelsAStepBeforeItBeginsDoesNotBlameTheNode() throws Exception {
    List<String> entries = List.of("tasks=1", "node=0", "rank=0", "mpi=pmi2", "mpi_node=n1:0");
    List<String> program = List.of("stdin=s:", "stdout=s:", "arg=/bin/sleep", "arg=100");
    try (StepConnection connection = StepConnection.to(spawner.socket)) {
      connection.send(
          SpawnerProcess.launch(Stream.concat(entries.stream(), program.stream()).toList()));
      connection.send(StepFrame.ofNumbers('G', 9, -1));
      List<StepFrame> frames = connection.until('Z');
      assertEquals(List.of(), statuses(List.of(frames)));
    }
    StepDirectory step = new StepDirectory(spawner.lastStep());
    StepExit exit = Await.seconds(30).value("an exit record", step::exit, _ -> true);
    assertEquals(
        LaunchStage.CANCELLED, assertInstanceOf(StepExit.LaunchFailed.class, exit).stage());
    assertInstanceOf(StepEnd.NotStarted.class, StepEndMapper.of(exit, false, null));
  }

  @Test
  void onlyItsOwnConnectionReachesATask() throws Exception {
    var frames = run("ls -l /proc/self/fd | grep -c socket:; echo $PMI_FD $PMI_RANK >/dev/null");
    for (int rank = 0; rank < 4; rank++) {
      assertEquals("1\n", outputOf(frames, rank));
    }
  }

  @Test
  void theServerIsTheUsersAndEndsWithTheStep() throws Exception {
    var frames =
        run("for p in /proc/[0-9]*; do grep -q ^mpi-server $p/comm && stat -c %u $p; done; true");
    assertTrue(outputOf(frames, 0).lines().toList().contains("" + SpawnerProcess.user()));
    assertNull(front.failure());
  }

  @Test
  void pmixIsServedWhereItsLibraryIs() throws Exception {
    var frames = run("pmix", "echo $PMIX_RANK ${PMIX_NAMESPACE##*.} $PMIX_HOSTNAME $PMI_FD");
    for (int rank = 0; rank < 4; rank++) {
      Optional<StepFrame> refused =
          frames.get(rank % 2).stream().filter(frame -> frame.type() == 'F').findFirst();
      if (refused.isPresent()) {
        String text = refused.get().text(2);
        assertTrue(text.contains("mpi/pmix: the PMIx library was not found on this node: "), text);
      } else {
        assertEquals(
            rank + " abc n" + (1 + rank % 2) + "\n", outputOf(frames, rank).replace(" \n", "\n"));
      }
    }
  }
}

package io.dure.reservation;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.gres.GresShare;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * One line for each rule of making and changing reservations: its name, what is asked for, one
 * after the other, and what comes of the last. Nodes n1 to n4, of which n3 and n4 are partition
 * {@code half} and have GPUs, with features of their own; a job of alice runs on n1 until minute
 * 60.
 */
@Tag("pure")
class ReservationTableTest {

  private static final String TABLE =
      """
      needs a start | duration=30 nodes=n2 users=bob | INVALID_TIME_VALUE
      needs an end | start=10 nodes=n2 users=bob | INVALID_TIME_VALUE
      an end before the start | start=100 end=50 nodes=n2 users=bob | INVALID_TIME_VALUE
      an end in the past | start=-90 end=-60 nodes=n2 users=bob | INVALID_TIME_VALUE
      a start in the past | start=-90 duration=200 nodes=n2 users=bob | INVALID_TIME_VALUE
      a start some minutes ago | start=-9 duration=30 nodes=n2 users=bob | bob_1 n2 -9-21 SPEC_NODES
      FORCE_START begins in the past | start=-90 duration=200 nodes=n2 users=bob flags=FORCE_START | bob_1 n2 -90-110 SPEC_NODES,FORCE_START
      needs somebody | start=100 duration=30 nodes=n2 | RESERVATION_EMPTY
      needs nodes | start=100 duration=30 users=bob | RESERVATION_INVALID
      a duration of zero is a year | start=100 duration=0 nodes=n2 users=bob | bob_1 n2 100-525700 SPEC_NODES
      an unknown node | start=100 duration=30 nodes=n9 users=bob | INVALID_NODE_NAME
      an unknown partition | start=100 duration=30 nodecnt=1 users=bob partition=x | INVALID_PARTITION_NAME
      an unknown feature | start=100 duration=30 nodecnt=1 users=bob features=old | INVALID_FEATURE
      a feature | start=100 duration=30 nodecnt=1 users=bob features=fast | bob_1 n4 100-130
      so many of each feature | start=100 duration=30 users=bob features=[fast*1&slow*2] | bob_1 n2,n3,n4 100-130
      counted features and more nodes | start=100 duration=30 nodecnt=2 users=bob features=fast*1 | bob_1 n2,n4 100-130
      a node of two features is counted once | start=100 duration=30 users=bob features=[lab*1&fast*1] | bob_1 n3,n4 100-130
      too few of one feature | start=100 duration=30 users=bob features=[fast*2&slow*1] | NODES_BUSY
      the same feature for all | start=100 duration=30 nodecnt=2 users=bob features=[fast|slow] | bob_1 n2,n3 100-130
      generic resources | start=100 duration=30 users=bob gres=gpu:3 | bob_1 n3,n4 100-130
      generic resources of a type | start=100 duration=30 users=bob gres=gpu:a100:1 | bob_1 n4 100-130
      more generic resources than there are | start=100 duration=30 users=bob gres=gpu:5 | NODES_BUSY
      generic resources of named nodes | start=100 duration=30 nodes=n3 users=bob gres=gpu:2 | bob_1 n3 100-130 SPEC_NODES
      named nodes without them | start=100 duration=30 nodes=n2 users=bob gres=gpu:1 | NODES_BUSY
      generic resources beside cores | start=100 duration=30 corecnt=1 users=bob gres=gpu:1 | NOT_SUPPORTED
      for a quality of service alone | start=100 duration=30 nodes=n2 qos=normal | normal_1 n2 100-130 SPEC_NODES
      an unknown quality of service | start=100 duration=30 nodes=n2 qos=nosuch | INVALID_QOS
      for a partition alone | start=100 duration=30 nodes=n2 allowed=half | half_1 n2 100-130 SPEC_NODES
      an unknown partition's jobs | start=100 duration=30 nodes=n2 allowed=nosuch | INVALID_PARTITION_NAME
      FORCE_START of one that repeats begins in time | start=-90 duration=30 nodes=n2 users=bob flags=FORCE_START,DAILY | bob_1 n2 1350-1380 DAILY,SPEC_NODES,FORCE_START
      too few with a feature | start=100 duration=30 nodecnt=2 users=bob features=fast | NODES_BUSY
      nodes of a partition | start=100 duration=30 nodecnt=1 users=bob partition=half | bob_1 n3 100-130
      more nodes than there are | start=100 duration=30 nodecnt=9 users=bob | NODES_BUSY
      all of a partition | start=100 duration=30 users=bob partition=half | bob_1 n3,n4 100-130 SPEC_NODES,PART_NODES
      ALL of a partition | start=100 duration=30 nodes=ALL users=bob partition=half | bob_1 n3,n4 100-130 SPEC_NODES,PART_NODES
      ALL and a count | start=100 duration=30 nodes=ALL nodecnt=1 users=bob partition=half | bob_1 n3,n4 100-130 SPEC_NODES,PART_NODES
      one of them by update | name=r start=100 duration=30 users=bob partition=half ; update r nodes=n4 | r n4 100-130 SPEC_NODES
      and all again | name=r start=100 duration=30 users=bob partition=half ; update r nodes=n4 ; update r nodes=ALL | r n3,n4 100-130 SPEC_NODES,PART_NODES
      fewer of all by update | name=r start=100 duration=30 users=bob partition=half ; update r nodecnt=1 | r n3 100-130 SPEC_NODES
      all nodes | start=100 duration=30 nodes=ALL users=bob | bob_1 n1,n2,n3,n4 100-130 SPEC_NODES,ALL_NODES
      PART_NODES | start=100 duration=30 nodes=ALL users=bob partition=half flags=PART_NODES | bob_1 n3,n4 100-130 SPEC_NODES,PART_NODES
      PART_NODES needs a partition | start=100 duration=30 nodes=ALL users=bob flags=PART_NODES | RESERVATION_INVALID
      cores of several nodes | start=100 duration=30 corecnt=5 users=bob | bob_1 n2/0-3,n3/0 100-130
      cores pass over those that are reserved | start=100 duration=30 corecnt=2 users=bob ; start=120 duration=30 nodes=n2 corecnt=2 users=bob | bob_2 n2/2-3 120-150 SPEC_NODES
      OVERLAP takes reserved cores | start=100 duration=30 nodes=n2 corecnt=2 users=bob ; start=120 duration=30 nodes=n2 corecnt=2 users=bob flags=OVERLAP | bob_2 n2/0-1 120-150 OVERLAP,SPEC_NODES
      cores at another time | start=100 duration=30 nodes=n2 corecnt=2 users=bob ; start=130 duration=30 nodes=n2 corecnt=4 users=bob | bob_2 n2/0-3 130-160 SPEC_NODES
      cores of a reserved node | start=100 duration=30 nodes=n2 users=bob ; start=120 duration=30 nodes=n2 corecnt=1 users=bob | NODES_BUSY
      too few cores are left | start=100 duration=30 nodes=n2 corecnt=2 users=bob ; start=120 duration=30 nodes=n2 corecnt=3 users=bob | NODES_BUSY
      cores in a partition | start=100 duration=30 corecnt=2 users=bob partition=half | bob_1 n3/0-1 100-130
      cores of nodes with a feature | start=100 duration=30 corecnt=2 users=bob features=fast | bob_1 n4/0-1 100-130
      no cores at all | start=100 duration=30 corecnt=0 users=bob | NODES_BUSY
      cores of a number of nodes | start=100 duration=30 corecnt=5 nodecnt=2 users=bob | bob_1 n2/0-2,n3/0-1 100-130
      DAILY cores meet tomorrow | start=100 duration=30 nodes=n2 corecnt=3 users=bob flags=DAILY ; start=1550 duration=30 nodes=n2 corecnt=2 users=bob | NODES_BUSY
      a later start keeps the cores | name=r start=100 duration=30 nodes=n2 corecnt=2 users=bob ; update r start=110 | r n2/0-1 110-130 SPEC_NODES
      longer into reserved cores | name=r start=100 duration=30 nodes=n2 corecnt=2 users=bob ; start=140 duration=30 nodes=n2 users=bob ; update r duration=50 | RESERVATION_OVERLAP
      longer beside reserved cores | name=r start=100 duration=30 nodes=n2 corecnt=2 users=bob ; start=100 duration=90 nodes=n2 corecnt=2 users=bob ; update r duration=50 | r n2/0-1 100-150 SPEC_NODES
      cores do not change | name=r start=100 duration=30 nodes=n2 corecnt=2 users=bob ; update r corecnt=3 | CORE_RESERVATION_UPDATE
      nodes of cores do not change | name=r start=100 duration=30 corecnt=2 users=bob ; update r nodecnt=3 | CORE_RESERVATION_UPDATE
      nodes do not become cores | name=r start=100 duration=30 nodes=n2 users=bob ; update r corecnt=3 | CORE_RESERVATION_UPDATE
      more cores of all nodes than there are | start=100 duration=30 corecnt=99 users=bob | NODES_BUSY
      some cores of named nodes | start=100 duration=30 nodes=n2 corecnt=2 users=bob | bob_1 n2/0-1 100-130 SPEC_NODES
      cores of a running job's node | start=30 duration=30 nodes=n1 corecnt=3 users=bob | bob_1 n1/1-3 30-60 SPEC_NODES
      a running job's cores | start=30 duration=30 nodes=n1 corecnt=4 users=bob | NODES_BUSY
      IGNORE_JOBS takes its cores | start=30 duration=30 nodes=n1 corecnt=4 users=bob flags=IGNORE_JOBS | bob_1 n1/0-3 30-60 IGNORE_JOBS,SPEC_NODES
      named nodes whatever the count | start=100 duration=30 nodes=n2,n3 nodecnt=1 users=bob | bob_1 n2,n3 100-130 SPEC_NODES
      a running job's node | start=30 duration=30 nodes=n1 users=bob | NODES_BUSY
      IGNORE_JOBS takes it | start=30 duration=30 nodes=n1 users=bob flags=IGNORE_JOBS | bob_1 n1 30-60 IGNORE_JOBS,SPEC_NODES
      after the job's limit | start=60 duration=30 nodes=n1 users=bob | bob_1 n1 60-90 SPEC_NODES
      counts pass over a running job | start=30 duration=30 nodecnt=1 users=bob | bob_1 n2 30-60
      all nodes with a running job | start=30 duration=30 nodes=ALL users=bob flags=MAINT | NODES_BUSY
      MAINT with IGNORE_JOBS | start=30 duration=30 nodes=ALL users=root flags=MAINT,IGNORE_JOBS | root_1 n1,n2,n3,n4 30-60 MAINT,IGNORE_JOBS,SPEC_NODES,ALL_NODES
      the name of who may use it | start=100 duration=30 nodes=n2 accounts=phys users=bob | phys_1 n2 100-130 SPEC_NODES
      the name without its minus | start=100 duration=30 nodes=n2 users=-bob | bob_1 n2 100-130 SPEC_NODES
      some in and some out | start=100 duration=30 nodes=n2 users=alice,-bob | USER_ID_MISSING
      users and groups | start=100 duration=30 nodes=n2 users=alice groups=staff | RESERVATION_INVALID
      MAGNETIC for groups | start=100 duration=30 nodes=n2 groups=staff flags=MAGNETIC | NOT_SUPPORTED
      a name given twice | name=r start=100 duration=30 nodes=n2 users=bob ; name=r start=200 duration=30 nodes=n2 users=bob | RESERVATION_NAME_DUP
      a name of two words | name=a,b start=100 duration=30 nodes=n2 users=bob | RESERVATION_INVALID
      overlap | start=100 duration=30 nodes=n2 users=bob ; start=120 duration=30 nodes=n2,n3 users=bob | RESERVATION_OVERLAP
      one after the other | start=100 duration=30 nodes=n2 users=bob ; start=130 duration=30 nodes=n2 users=bob | bob_2 n2 130-160 SPEC_NODES
      OVERLAP | start=100 duration=30 nodes=n2 users=bob ; start=120 duration=30 nodes=n2 users=bob flags=OVERLAP | bob_2 n2 120-150 OVERLAP,SPEC_NODES
      MAINT lies over others | start=100 duration=30 nodes=n2 users=bob ; start=120 duration=30 nodes=n2 users=bob flags=MAINT | bob_2 n2 120-150 MAINT,SPEC_NODES
      others do not lie over MAINT | start=100 duration=30 nodes=n2 users=bob flags=MAINT ; start=120 duration=30 nodes=n2 users=bob | RESERVATION_OVERLAP
      counts pass over reserved nodes | start=100 duration=30 nodes=n1,n2 users=bob ; start=120 duration=30 nodecnt=1 users=bob | bob_2 n3 120-150
      counts find none left | start=100 duration=30 nodes=ALL users=bob ; start=120 duration=30 nodecnt=1 users=bob | NODES_BUSY
      DAILY meets tomorrow | start=100 duration=30 nodes=n2 users=bob flags=DAILY ; start=1550 duration=30 nodes=n2 users=bob | RESERVATION_OVERLAP
      DAILY leaves the rest of the day | start=100 duration=30 nodes=n2 users=bob flags=DAILY ; start=1600 duration=30 nodes=n2 users=bob | bob_2 n2 1600-1630 SPEC_NODES
      DAILY meets HOURLY | start=110 duration=10 nodes=n2 users=bob flags=HOURLY ; start=2000 duration=40 nodes=n2 users=bob flags=DAILY | RESERVATION_OVERLAP
      WEEKEND passes WEEKDAY | start=100 duration=30 nodes=n2 users=bob flags=WEEKDAY ; start=7300 duration=30 nodes=n2 users=bob flags=WEEKEND | bob_2 n2 7300-7330 WEEKEND,SPEC_NODES
      WEEKLY meets the same day | start=100 duration=30 nodes=n2 users=bob flags=WEEKLY ; start=20260 duration=30 nodes=n2 users=bob | RESERVATION_OVERLAP
      WEEKLY leaves the other days | start=100 duration=30 nodes=n2 users=bob flags=WEEKLY ; start=1540 duration=30 nodes=n2 users=bob | bob_2 n2 1540-1570 SPEC_NODES
      TIME_FLOAT | start=100 duration=30 nodes=n2 users=bob flags=TIME_FLOAT | bob_1 n2 100-130 SPEC_NODES,TIME_FLOAT
      TIME_FLOAT does not repeat | start=100 duration=30 nodes=n2 users=bob flags=TIME_FLOAT,DAILY | NOT_SUPPORTED
      TIME_FLOAT comes to lie over what is later | start=100 duration=30 nodes=n2 users=bob flags=TIME_FLOAT ; start=900 duration=30 nodes=n2 users=bob | RESERVATION_OVERLAP
      REPLACE chooses itself | start=100 duration=30 nodes=n2 users=bob flags=REPLACE | INVALID_NODE_NAME
      REPLACE_DOWN chooses itself | start=100 duration=30 nodes=n2 users=bob flags=REPLACE_DOWN | INVALID_NODE_NAME
      REPLACE takes idle nodes first | start=100 duration=30 nodecnt=1 users=bob flags=REPLACE | bob_1 n2 100-130 REPLACE
      ANY_NODES is for licences | start=100 duration=30 nodecnt=1 users=bob flags=ANY_NODES | RESERVATION_INVALID
      update of none | update x duration=10 | RESERVATION_INVALID
      longer | name=r start=100 duration=30 nodes=n2 users=bob ; update r duration=50 | r n2 100-150 SPEC_NODES
      longer by | name=r start=100 duration=30 nodes=n2 users=bob ; update r duration+=50 | r n2 100-180 SPEC_NODES
      longer into another | name=r start=100 duration=30 nodes=n2 users=bob ; start=140 duration=30 nodes=n2 users=bob ; update r duration=50 | RESERVATION_OVERLAP
      an end that has passed | name=r start=0 duration=30 nodes=n2 users=bob ; update r end=0 | INVALID_TIME_VALUE
      an end before its start | name=r start=100 duration=30 nodes=n2 users=bob ; update r end=90 | INVALID_TIME_VALUE
      a later start | name=r start=100 duration=30 nodes=n2 users=bob ; update r start=110 | r n2 110-130 SPEC_NODES
      a start in the past by update | name=r start=100 duration=30 nodes=n2 users=bob ; update r start=-50 | INVALID_TIME_VALUE
      a start of one that has begun | name=r start=0 duration=30 nodes=n2 users=bob ; update r start=10 | RESERVATION_STARTED
      other nodes | name=r start=100 duration=30 nodes=n2 users=bob ; update r nodes=n3,n4 | r n3,n4 100-130 SPEC_NODES
      nodes of its own choice | name=r start=100 duration=30 nodes=n2,n3 users=bob ; update r nodes= | r n2,n3 100-130
      more nodes | name=r start=100 duration=30 nodes=n3 users=bob ; update r nodecnt=2 | r n2,n3 100-130 SPEC_NODES
      fewer nodes | name=r start=100 duration=30 nodes=n2,n3 users=bob ; update r nodecnt=1 | r n2 100-130 SPEC_NODES
      features of named nodes | name=r start=100 duration=30 nodes=n2 users=bob ; update r features=fast | NOT_SUPPORTED
      other features | name=r start=100 duration=30 nodecnt=1 users=bob ; update r features=fast | r n4 100-130
      a flag more | name=r start=100 duration=30 nodes=n2 users=bob ; update r flags=DAILY | r n2 100-130 DAILY,SPEC_NODES
      a flag less | name=r start=100 duration=30 nodes=n2 users=bob flags=DAILY ; update r flags-=DAILY | r n2 100-130 SPEC_NODES
      TIME_FLOAT cannot come later | name=r start=100 duration=30 nodes=n2 users=bob ; update r flags=TIME_FLOAT | INVALID_TIME_VALUE
      TIME_FLOAT cannot go | name=r start=100 duration=30 nodes=n2 users=bob flags=TIME_FLOAT ; update r flags-=TIME_FLOAT | INVALID_TIME_VALUE
      the last user stays | name=r start=100 duration=30 nodes=n2 users=bob ; update r users-=bob | RESERVATION_EMPTY
      a user that is not there | name=r start=100 duration=30 nodes=n2 users=bob ; update r users-=alice | USER_ID_MISSING
      skip | name=r start=100 duration=30 nodes=n2 users=bob flags=DAILY ; update r skip | r n2 1540-1570 DAILY,SPEC_NODES
      skip of one that does not repeat | name=r start=100 duration=30 nodes=n2 users=bob ; update r skip | RESERVATION_INVALID
      delete of none | delete x | RESERVATION_INVALID
      delete | name=r start=100 duration=30 nodes=n2 users=bob ; delete r | gone
      """;

  private record Line(String name, List<String> commands, String outcome) {}

  @TestFactory
  Stream<DynamicTest> rules() {
    List<Line> lines = new ArrayList<>();
    for (String text : TABLE.lines().toList()) {
      String[] parts = text.split(" \\| ", -1);
      lines.add(new Line(parts[0], List.of(parts[1].split(" ; ", -1)), parts[2]));
    }
    return lines.stream()
        .map(line -> DynamicTest.dynamicTest(line.name(), () -> assertOutcome(line)));
  }

  private static void assertOutcome(Line line) {
    TestCluster cluster = cluster();
    cluster.submit(ALICE, job().on("n1").time(60).runs(3600));
    String outcome = "";
    for (String command : line.commands()) {
      outcome = outcome(cluster, command);
    }
    assertEquals(line.outcome(), outcome);
    cluster.restartController();
  }

  static TestCluster cluster() {
    return TestCluster.with("ResvOverRun", "0")
        .set("GresTypes", "gpu")
        .node("n1")
        .cpus(4)
        .node("n2")
        .cpus(4)
        .describe(" Feature=slow")
        .node("n3")
        .cpus(4)
        .describe(" Feature=slow,lab Gres=gpu:t4:2")
        .node("n4")
        .cpus(4)
        .describe(" Feature=fast,lab Gres=gpu:a100:2")
        .partition("debug", "Nodes=ALL Default=YES")
        .partition("half", "Nodes=n3,n4")
        .start();
  }

  private static String outcome(TestCluster cluster, String text) {
    String[] words = text.split(" ", 3);
    Command.UserCommand command =
        switch (words[0]) {
          case "update" -> Asked.update(words[1], words[2]);
          case "delete" -> new Command.DeleteReservation(words[1]);
          default -> Asked.create(text);
        };
    int before = cluster.state().reservations().size();
    Reply reply = cluster.ask(ROOT, command);
    return switch (reply) {
      case Reply.Refused(var code, _, _) -> code.name();
      case Reply.Reserved(String name) -> shown(cluster, name);
      case Reply.Done _ ->
          cluster.state().reservations().size() < before ? "gone" : shown(cluster, words[1]);
      case Reply.Submitted _, Reply.StepCreated _, Reply.Killed _ -> "a job";
    };
  }

  private static String shown(TestCluster cluster, String name) {
    Reservation made = cluster.state().reservationBook().named(name);
    if (made == null) {
      return "none";
    }
    long start = Duration.between(TestCluster.START, made.start()).toMinutes();
    long end = Duration.between(TestCluster.START, made.end()).toMinutes();
    String flags = String.join(",", made.flags().stream().map(ReservationFlag::word).toList());
    List<String> parts = new ArrayList<>();
    for (String node : made.nodes()) {
      List<Integer> cores = made.coresOf(node);
      parts.add(cores == null ? node : node + "/" + GresShare.ranges(cores));
    }
    String nodes = String.join(",", parts);
    return (made.name() + " " + nodes + " " + start + "-" + end + " " + flags).strip();
  }
}

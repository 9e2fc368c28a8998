package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sinfo.Sinfo;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.License;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationAccess;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationNodeRequest;
import io.dure.model.reservation.ReservationRequest;
import io.dure.protocol.Request;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the administrator's command makes of reservations, beside what Slurm printed. */
@Tag("pure")
class ReservationsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int scontrol(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "scontrol";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Scontrol().run(world.call(all));
  }

  private static Response refused(ErrorCode code) {
    return new Response.Decided(new Reply.Refused(code, ""));
  }

  private ReservationRequest asked() {
    Request last = controller.requests.getLast();
    Command.UserCommand command = ((Request.Change) last).command();
    return command instanceof Command.CreateReservation create
        ? create.request()
        : ((Command.UpdateReservation) command).change();
  }

  private static ReservationInfo info(
      String name, String start, long minutes, String node, List<String> users) {
    Instant begin = Instant.parse(start);
    List<ReservationFlag> flags =
        switch (name) {
          case "maint" ->
              List.of(
                  ReservationFlag.MAINT, ReservationFlag.IGNORE_JOBS, ReservationFlag.SPEC_NODES);
          case "bob_3" -> List.of(ReservationFlag.SPEC_NODES);
          default -> List.of();
        };
    String partition = flags.isEmpty() ? "debug" : null;
    Reservation reservation =
        new Reservation(
            1,
            name,
            begin,
            begin.plus(Duration.ofMinutes(minutes)),
            List.of(node),
            new ReservationNodeRequest(0, 0, null, partition, List.of()),
            new ReservationAccess(users, List.of(), List.of(), List.of(), List.of()),
            flags,
            begin,
            null,
            null,
            null,
            "UTC",
            List.of(),
            List.of(),
            null);
    return new ReservationInfo(reservation, false, 16, 16);
  }

  private static Response captured() {
    return new Response.Reservations(
        List.of(
            info("maint", "2026-11-21T15:46:22Z", 120, "n3", List.of("root", "alice")),
            info("bob_3", "2026-11-21T15:52:28Z", 10, "n3", List.of("bob")),
            info("alicetest", "2026-11-20T19:00:49Z", 60, "n1", List.of("alice"))),
        Instant.parse("2026-11-20T16:00:00Z"));
  }

  /** As an older Slurm printed it, without the watts that newer ones do not print. */
  private static final String CAPTURED =
      """
      ReservationName=maint StartTime=2026-11-21T15:46:22 EndTime=2026-11-21T17:46:22 Duration=02:00:00
         Nodes=n3 NodeCnt=1 CoreCnt=16 Features=(null) PartitionName=(null) Flags=MAINT,IGNORE_JOBS,SPEC_NODES
         TRES=cpu=16
         Users=root,alice Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)
         MaxStartDelay=(null)

      ReservationName=bob_3 StartTime=2026-11-21T15:52:28 EndTime=2026-11-21T16:02:28 Duration=00:10:00
         Nodes=n3 NodeCnt=1 CoreCnt=16 Features=(null) PartitionName=(null) Flags=SPEC_NODES
         TRES=cpu=16
         Users=bob Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)
         MaxStartDelay=(null)

      ReservationName=alicetest StartTime=2026-11-20T19:00:49 EndTime=2026-11-20T20:00:49 Duration=01:00:00
         Nodes=n1 NodeCnt=1 CoreCnt=16 Features=(null) PartitionName=debug Flags=
         TRES=cpu=16
         Users=alice Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)
         MaxStartDelay=(null)

      """;

  @Test
  void recordsAreAsSlurmPrintsThem() {
    controller.answer(captured());
    assertEquals(0, scontrol("show", "res"));
    assertEquals(CAPTURED, world.printed());
  }

  @Test
  void coresAreListedByNode() {
    Reservation whole =
        info("bob_3", "2026-11-21T15:52:28Z", 10, "n1", List.of("bob")).reservation();
    Reservation some = whole.onCores(List.of(new NodeCores("n1", List.of(2, 3, 4, 5))));
    controller.answer(
        new Response.Reservations(
            List.of(new ReservationInfo(some, true, 4, 4)), Instant.parse("2026-11-20T16:00:00Z")));
    assertEquals(0, scontrol("show", "res"));
    assertEquals(
        """
        ReservationName=bob_3 StartTime=2026-11-21T15:52:28 EndTime=2026-11-21T16:02:28 Duration=00:10:00
           Nodes=n1 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=(null) Flags=SPEC_NODES
             NodeName=n1 CoreIDs=2-5
           TRES=cpu=4
           Users=bob Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE BurstBuffer=(null)
           MaxStartDelay=(null)

        """,
        world.printed());
  }

  @Test
  void licencesWithoutNodes() {
    Reservation whole =
        info("alicetest", "2026-11-21T15:52:28Z", 10, "n1", List.of("bob")).reservation();
    Reservation some =
        whole
            .with(
                new ReservationNodeRequest(0, 0, null, null, List.of()),
                List.of(ReservationFlag.ANY_NODES))
            .on(List.of())
            .withLicenses(List.of(new License("matlab", 8)));
    controller.answer(
        new Response.Reservations(
            List.of(new ReservationInfo(some, true, 0, 0)), Instant.parse("2026-11-20T16:00:00Z")));
    assertEquals(0, scontrol("show", "res"));
    assertEquals(
        """
        ReservationName=alicetest StartTime=2026-11-21T15:52:28 EndTime=2026-11-21T16:02:28 Duration=00:10:00
           Nodes=(null) NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=(null) Flags=ANY_NODES
           TRES=(null)
           Users=bob Groups=(null) Accounts=(null) Licenses=matlab:8 State=ACTIVE BurstBuffer=(null)
           MaxStartDelay=(null)

        """,
        world.printed());
  }

  @Test
  void coresAndLicencesAreAskedFor() {
    controller.answer(new Response.Decided(new Reply.Reserved("r")));
    assertEquals(
        0,
        scontrol(
            "create",
            "reservation=r",
            "start=now",
            "dur=10",
            "nodes=n[1-2]",
            "tres=cpu=2,3,license/matlab=4",
            "acc=x"));
    assertEquals(List.of(2, 3), asked().coreCounts());
    assertEquals(List.of(new License("matlab", 4)), asked().licenses());
  }

  @Test
  void oneOnALine() {
    controller.answer(captured());
    assertEquals(0, scontrol("-o", "show", "res", "bob_3"));
    assertTrue(world.printed().contains(" Duration=00:10:00 Nodes=n3 NodeCnt=1 "));
    assertEquals(1, world.printed().lines().count());
  }

  @Test
  void oneThatIsNotThere() {
    controller.answer(captured());
    assertEquals(1, scontrol("show", "res", "nope"));
    assertEquals("Reservation nope not found\n", world.printed());
  }

  @Test
  void asADocument() {
    controller.answer(captured());
    assertEquals(0, scontrol("--json", "show", "res"));
    assertTrue(world.printed().contains("\"node_list\": \"n3\""), world.printed());
  }

  @Test
  void theListOfNodes() {
    world.controller = controller;
    controller.answer(captured());
    assertEquals(0, new Sinfo().run(world.call("sinfo", "-T")));
    assertEquals(
        """
        RESV_NAME     STATE           START_TIME             END_TIME     DURATION  NODELIST
        maint      INACTIVE  2026-11-21T15:46:22  2026-11-21T17:46:22     02:00:00  n3
        bob_3      INACTIVE  2026-11-21T15:52:28  2026-11-21T16:02:28     00:10:00  n3
        alicetest  INACTIVE  2026-11-20T19:00:49  2026-11-20T20:00:49     01:00:00  n1
        """,
        world.printed());
  }

  @Test
  void made() {
    controller.answer(new Response.Decided(new Reply.Reserved("alice_1")));
    assertEquals(
        0,
        scontrol(
            "create",
            "reservation",
            "starttime=now+1hour",
            "duration=1-0",
            "nodes=n[1-2]",
            "users=alice,bob",
            "flags=maint,daily,purge_comp=10",
            "maxstartdelay=5"));
    assertEquals("Reservation created: alice_1\n", world.printed());
    ReservationRequest asked = asked();
    assertEquals(Duration.ofDays(1), asked.duration());
    assertEquals(List.of("n1", "n2"), asked.nodes());
    assertEquals(new NameListEdit(NameListEdit.Mode.SET, List.of("alice", "bob")), asked.users());
    assertEquals(
        List.of(ReservationFlag.MAINT, ReservationFlag.DAILY, ReservationFlag.PURGE_COMP),
        asked.set());
    assertEquals(Duration.ofMinutes(10), asked.purgeAfter());
    assertEquals(Duration.ofMinutes(5), asked.maxStartDelay());
  }

  @Test
  void madeUnderAName() {
    controller.answer(new Response.Decided(new Reply.Reserved("r")));
    assertEquals(
        0,
        scontrol(
            "create",
            "reservation=r",
            "start=now",
            "dur=unlimited",
            "tres=node=2",
            "acc=x",
            "flags="));
    assertEquals("r", asked().name());
    assertEquals(List.of(), asked().set());
    assertEquals(2, asked().nodeCount());
    assertEquals(ReservationRequest.LONGEST, asked().duration());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          starttime=now duration=10 nodes=n1 | scontrol: error: Either Users/Groups and/or Accounts must be specified.  No reservation created.
          users=a duration=10 nodes=n1 | scontrol: error: A start time must be given.  No reservation created.
          starttime=now users=a nodes=n1 | scontrol: error: An end time or duration must be given.  No reservation created.
          starttime=now duration=10 users=a | scontrol: error: CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified.  No reservation created.
          starttime=now+1day endtime=now+1hour users=a nodes=n1 | scontrol: error: Start time cannot be after end time.  No reservation created.
          starttime=now duration=10 users=a nodes=n1 flags=bogus | scontrol: error: Error parsing flags bogus.  No reservation created.
          starttime=now duration=10 users=a nodes=n1 foo=bar | scontrol: error: Unknown parameter foo=bar.  No reservation created.
          starttime=now duration=xx users=a nodes=n1 | scontrol: error: Invalid duration duration=xx.  No reservation created.
          starttime=now duration=10 users=a nodecnt=xx | scontrol: error: Invalid node count xx
          starttime=now duration=10 users=a nodes=all flags=part_nodes | scontrol: error: PART_NODES flag requires specifying a Partition and ALL nodes.  No reservation created.
          starttime=now duration=10 users=a groups=b nodes=n1 | scontrol: error: Users and Groups are mutually exclusive.  You can have one or the other, but not both.  No reservation created.
          """)
  void inputIsRefusedInSlurmsWords(String input, String text) {
    String[] words = ("create reservation " + input).split(" ", -1);
    assertEquals(1, scontrol(words));
    assertEquals(text + "\n", world.errors());
  }

  @Test
  void aTimeThatIsNone() {
    assertEquals(
        1, scontrol("create", "reservation", "starttime=xx", "duration=1", "users=a", "nodes=n1"));
    assertEquals(
        """
        Invalid time specification (pos=0): xx
        scontrol: error: Invalid start time starttime=xx.  No reservation created.
        """,
        world.errors());
  }

  @Test
  void theControllersNo() {
    controller.answer(refused(ErrorCode.RESERVATION_OVERLAP));
    assertEquals(
        1, scontrol("create", "res", "starttime=now", "duration=1", "users=a", "nodes=n1"));
    assertEquals(
        "Error creating the reservation: Requested reservation overlaps with another"
            + " reservation\n",
        world.errors());
  }

  @Test
  void busyNodesAreExplained() {
    controller.answer(refused(ErrorCode.NODES_BUSY));
    assertEquals(
        1, scontrol("create", "res", "starttime=now", "duration=1", "users=a", "nodecnt=1"));
    assertEquals(
        """
        Error creating the reservation: Requested nodes are busy
        Note, unless nodes are directly requested a reservation must exist in a single partition.
        If no partition is requested the default partition is assumed.
        """,
        world.errors());
  }

  @Test
  void qualitiesPartitionsAndResources() {
    controller.answer(new Response.Decided(new Reply.Reserved("r")));
    assertEquals(
        0,
        scontrol(
            "create",
            "res",
            "starttime=now",
            "duration=1",
            "qos=high,low",
            "AllowedPartition-=debug",
            "TRES=gres/gpu:a100=2,gres/gpu=3",
            "flags="));
    assertEquals(new NameListEdit(NameListEdit.Mode.SET, List.of("high", "low")), asked().qos());
    assertEquals(
        new NameListEdit(NameListEdit.Mode.SET, List.of("-debug")), asked().allowedPartitions());
    assertEquals(
        List.of(new GresCount("gpu", "a100", 2), new GresCount("gpu", null, 3)), asked().gres());
    assertEquals(List.of(), asked().set());
  }

  @Test
  void qualitiesAndPartitionsAreShown() {
    Reservation whole =
        info("alicetest", "2026-11-21T15:52:28Z", 10, "n1", List.of()).reservation();
    Reservation some =
        whole
            .with(
                whole.wish().with().gres(List.of(new GresCount("gpu", null, 2))).build(), List.of())
            .withAccess(
                new ReservationAccess(
                    List.of(), List.of(), List.of(), List.of("high"), List.of("-long")));
    controller.answer(
        new Response.Reservations(
            List.of(new ReservationInfo(some, true, 4, 4)), Instant.parse("2026-11-20T16:00:00Z")));
    assertEquals(0, scontrol("show", "res"));
    assertEquals(
        """
        ReservationName=alicetest StartTime=2026-11-21T15:52:28 EndTime=2026-11-21T16:02:28 Duration=00:10:00
           Nodes=n1 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=debug Flags=
           TRES=cpu=4,gres/gpu=2
           Users=(null) Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE BurstBuffer=(null)
           AllowedPartitions=-long QOS=high
           MaxStartDelay=(null)

        """,
        world.printed());
  }

  @Test
  void changed() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("update", "reservation=r", "users-=a", "duration+=10", "skip"));
    assertEquals("Reservation updated.\n", world.printed());
    assertEquals(new NameListEdit(NameListEdit.Mode.REMOVE, List.of("a")), asked().users());
    assertEquals(Duration.ofMinutes(10), asked().lengthen());
    assertTrue(asked().skip());
  }

  @Test
  void notChanged() {
    controller.answer(refused(ErrorCode.RESERVATION_INVALID));
    assertEquals(1, scontrol("update", "reservation=r", "duration=10"));
    assertEquals(
        """
        Error updating the reservation: Requested reservation is invalid
        slurm_update error: Requested reservation is invalid
        """,
        world.errors());
  }

  @Test
  void changesThatCannotBeRead() {
    assertEquals(1, scontrol("update", "reservation=r", "nodes+=n3"));
    assertEquals(
        """
        scontrol: error: The +=/-= notation is not supported when updating nodes.  \
        No reservation update.
        slurm_update error: No error
        """,
        world.errors());
  }

  @Test
  void deleted() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("delete", "reservation=r"));
    assertEquals("", world.printed());
  }

  @Test
  void notDeleted() {
    controller.answer(refused(ErrorCode.RESERVATION_BUSY));
    assertEquals(1, scontrol("delete", "reservation=r"));
    assertEquals(
        "delete_reservation reservation=r: Requested reservation is in use\n", world.errors());
  }
}

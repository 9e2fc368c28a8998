package io.dure.controller.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Effect;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.protocol.Request;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the flags of DebugFlags add to the controller's log. */
@Tag("pure")
class EventTraceTest {
  private static final Instant NOW = Instant.parse("2026-11-20T16:01:34Z");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final DaemonLog log =
      DaemonLog.toStream(out, LogLevel.VERBOSE, () -> NOW, ZoneOffset.UTC);
  private final EventTrace trace = new EventTrace(log);

  private List<String> told(DebugFlag... flags) {
    out.reset();
    log.flags(List.of(flags));
    Allocation allocation =
        new Allocation("debug", List.of(new NodeShare("n1", List.of(0, 1), 2, 100, 1)));
    trace.happened(
        List.of(
            new Event.JobStarted(7, 1, allocation, NOW, null, false, false),
            new Event.JobLaunched(7, 1),
            new Event.JobReleased(8, 4711),
            new Event.JobFinished(7),
            new Event.ReservationDeleted("maint", null)));
    trace.performed(new Effect.Launch("n1", 7, 1));
    trace.performed(new Effect.RunProlog(7, 1));
    trace.planned(new SchedulerPassResult(5, 1, 2, 1, 9), 3_000);
    Caller.User caller =
        new Caller.User(new UserIdentity(1001, 1001, "alice", "users"), List.of(), false, "vm");
    trace.asked(new Request.Ping(), caller);
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.substring(line.indexOf(']') + 2))
        .toList();
  }

  @Test
  void withoutFlagsNothingIsTold() {
    assertEquals(List.of(), told());
  }

  @Test
  void eachFlagTellsOfItsPart() {
    assertEquals(
        List.of(
            "TRACE_JOBS: JobId=7 started in debug",
            "TRACE_JOBS: JobId=8 released",
            "TRACE_JOBS: JobId=7 finished"),
        told(DebugFlag.TRACE_JOBS));
    assertEquals(List.of("STEPS: StepId=7.batch of run 1 launched"), told(DebugFlag.STEPS));
    assertEquals(List.of("PRIORITY: JobId=8 has priority 4711"), told(DebugFlag.PRIORITY));
    assertEquals(List.of("SELECT_TYPE: JobId=7 n1: cores [0, 1]"), told(DebugFlag.SELECT_TYPE));
    assertEquals(List.of("RESERVATION: reservation maint is gone"), told(DebugFlag.RESERVATION));
    assertEquals(List.of("AGENT: Launch is sent to node n1"), told(DebugFlag.AGENT));
    assertEquals(List.of("SCRIPT: JobId=7 run 1: PrologSlurmctld"), told(DebugFlag.SCRIPT));
    assertEquals(List.of("AUDIT_RPCS: msg_type=Ping uid=1001"), told(DebugFlag.AUDIT_RPCS));
    assertTrue(
        told(DebugFlag.BACKFILL).getFirst().startsWith("BACKFILL: a pass of 3 us over 5 of 9"));
  }
}

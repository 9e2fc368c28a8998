package io.dure.controller.statistics;

import io.dure.cluster.Event;
import io.dure.host.log.LogMarkers;
import io.dure.model.command.Caller;
import io.dure.model.command.Effect;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.protocol.Request;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.Marker;

/** What the controller's log tells of the parts that {@code DebugFlags} names. Any thread. */
public final class EventTrace {
  private final Logger log;

  /** Tells nothing but what flags of that log ask for. */
  public EventTrace(Logger log) {
    this.log = log;
  }

  private void tell(DebugFlag flag, Supplier<String> text) {
    Marker marker = LogMarkers.flag(flag);
    if (log.isInfoEnabled(marker)) {
      log.info(marker, text.get());
    }
  }

  private void job(int jobId, Supplier<String> text) {
    tell(DebugFlag.TRACE_JOBS, () -> "JobId=" + jobId + " " + text.get());
  }

  /** A user asks for something. */
  public void asked(Request request, Caller.User caller) {
    tell(
        DebugFlag.AUDIT_RPCS,
        () ->
            "msg_type="
                + (request instanceof Request.Change change
                    ? change.command().getClass().getSimpleName()
                    : request.getClass().getSimpleName())
                + " uid="
                + Integer.toUnsignedString(caller.identity().uid()));
  }

  /** The scheduler has planned. */
  public void planned(SchedulerPassResult result, long nanos) {
    tell(
        DebugFlag.BACKFILL,
        () ->
            "a pass of %d us over %d of %d records: %d started, %d of them ahead of others; %d promised"
                .formatted(
                    nanos / 1_000,
                    result.depth(),
                    result.queue(),
                    result.started(),
                    result.backfilled(),
                    result.promised()));
  }

  /** Something is done outside of the state. */
  public void performed(Effect effect) {
    switch (effect) {
      case Effect.RunProlog(int jobId, int run) ->
          tell(DebugFlag.SCRIPT, () -> "JobId=" + jobId + " run " + run + ": PrologSlurmctld");
      case Effect.RunEpilog(int jobId, int run) ->
          tell(DebugFlag.SCRIPT, () -> "JobId=" + jobId + " run " + run + ": EpilogSlurmctld");
      case Effect.SwitchPower(var action, var nodes) ->
          tell(DebugFlag.POWER, () -> action + " of " + String.join(",", nodes));
      case Effect.RunTrigger(int id, _, String told) ->
          tell(DebugFlag.SCRIPT, () -> "trigger " + id + " runs its program for " + told);
      case Effect.Reboot(String node) ->
          tell(DebugFlag.AGENT, () -> "Reboot is sent to node " + node);
      case Effect.OnNode there ->
          tell(
              DebugFlag.AGENT,
              () -> there.getClass().getSimpleName() + " is sent to node " + there.node());
    }
  }

  /** These are durable. */
  public void happened(List<Event> events) {
    for (Event event : events) {
      begins(event);
      ends(event);
      rest(event);
    }
  }

  private void begins(Event event) {
    if (event instanceof Event.JobSubmitted e) {
      String owner = Integer.toUnsignedString(e.owner().uid());
      job(e.jobId(), () -> "submitted by uid " + owner + ", priority " + e.priority());
    } else if (event instanceof Event.JobHeld(int id, var hold)) {
      job(id, () -> "held: " + hold);
    } else if (event instanceof Event.JobReleased(int id, long priority)) {
      job(id, () -> "released");
      tell(DebugFlag.PRIORITY, () -> "JobId=" + id + " has priority " + priority);
    } else if (event instanceof Event.JobUpdated e) {
      job(e.jobId(), () -> "changed");
      tell(DebugFlag.PRIORITY, () -> "JobId=" + e.jobId() + " has priority " + e.priority());
    } else if (event instanceof Event.ArrayTaskSplit(int array, int index, int id)) {
      job(id, () -> "is task " + index + " of array " + array);
    } else if (event instanceof Event.DependencyChanged(int id, var waiting, boolean failed)) {
      String what = failed ? " can never start" : " waits for " + waiting.size() + " others";
      tell(DebugFlag.DEPENDENCY, () -> "JobId=" + id + what);
    } else if (event instanceof Event.JobEligible(int id, _, _)) {
      tell(DebugFlag.ACCRUE, () -> "JobId=" + id + " is eligible");
    } else if (event instanceof Event.JobStarted e) {
      started(e.jobId(), e.allocation());
    } else if (event instanceof Event.JobLaunched(int id, int run)) {
      tell(DebugFlag.STEPS, () -> "StepId=" + id + ".batch of run " + run + " launched");
    }
  }

  private void ends(Event event) {
    if (event instanceof Event.JobExitKnown(int id, _, var exit)) {
      tell(DebugFlag.STEPS, () -> "StepId=" + id + ".batch ended late with " + exit);
    } else if (event instanceof Event.JobEnding e) {
      job(e.jobId(), () -> "ends: " + e.outcome() + ", then " + e.afterwards());
      tell(DebugFlag.STEPS, () -> "StepId=" + e.jobId() + ".batch is over");
    } else if (event instanceof Event.JobFinished(int id)) {
      job(id, () -> "finished");
    } else if (event instanceof Event.JobRequeued e) {
      job(e.jobId(), () -> "requeued, not before " + e.notBefore());
    } else if (event instanceof Event.JobDropped e) {
      job(e.jobId(), () -> "ends without a run: " + e.outcome());
    } else if (event instanceof Event.RequeueRevoked(int id, var outcome)) {
      job(id, () -> "ends after all: " + outcome);
    } else if (event instanceof Event.JobSuspended e) {
      job(e.jobId(), () -> "suspended: " + e.cause());
    } else if (event instanceof Event.JobResumed e) {
      job(e.jobId(), () -> "resumed");
    }
  }

  private void rest(Event event) {
    if (event instanceof Event.SliceTurned(String partition, _)) {
      tell(DebugFlag.GANG, () -> "partition " + partition + ": the turn of other jobs");
    } else if (event instanceof Event.ReservationDefined(var one, _)) {
      String name = one.name();
      tell(
          DebugFlag.RESERVATION,
          () -> "reservation " + name + " from " + one.start() + " to " + one.end());
    } else if (event instanceof Event.ReservationDeleted(String name, _)) {
      tell(DebugFlag.RESERVATION, () -> "reservation " + name + " is gone");
    } else if (event instanceof Event.NodeDefined(var node, _, _)) {
      tell(
          DebugFlag.NODE_FEATURES,
          () -> "node " + node.name() + " has " + String.join(",", node.features()));
    } else if (event instanceof Event.NodeConditionChanged(String node, var condition, _)) {
      String where = condition.away() == null ? " is there" : " " + condition.away();
      tell(DebugFlag.POWER, () -> "node " + node + where);
    }
  }

  private void started(int jobId, Allocation allocation) {
    job(jobId, () -> "started in " + allocation.partition());
    tell(
        DebugFlag.SELECT_TYPE,
        () -> {
          StringBuilder text = new StringBuilder("JobId=" + jobId);
          for (NodeShare share : allocation.shares()) {
            text.append(' ').append(share.node()).append(": cores ").append(share.cores());
          }
          return text.toString();
        });
    for (NodeShare share : allocation.shares()) {
      if (!share.gres().isEmpty()) {
        tell(
            DebugFlag.GRES,
            () -> "JobId=" + jobId + " has on " + share.node() + ": " + share.gres());
      }
    }
    if (!allocation.licenses().isEmpty()) {
      tell(
          DebugFlag.LICENSE,
          () -> "JobId=" + jobId + " has " + License.text(allocation.licenses()));
    }
  }
}

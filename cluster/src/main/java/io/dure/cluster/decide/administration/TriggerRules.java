package io.dure.cluster.decide.administration;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Caller;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerChange;
import io.dure.model.hook.TriggerKind;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeLife;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which triggers there are, when they spring, and when their programs run: each once. */
public final class TriggerRules {
  private static final int MOST = 10_000;
  private static final int LONGEST = 4096;
  private static final String ALL = "*";

  private TriggerRules() {}

  /** Sets or clears, for root and SlurmUser; users clear what they have set. */
  public static Reply change(DecisionBuilder draft, TriggerChange change, Caller.User caller) {
    return switch (change) {
      case TriggerChange.SetTrigger(Trigger.Wish wish) -> set(draft, wish, caller);
      case TriggerChange.ClearTriggers clear -> clear(draft, clear, caller);
    };
  }

  private static Reply set(DecisionBuilder draft, Trigger.Wish wish, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.ACCESS_DENIED);
    }
    ClusterState state = draft.state();
    if (wish.jobId() != null) {
      Job job = state.job(wish.jobId());
      if (job == null) {
        return draft.refuse(ErrorCode.INVALID_JOB_ID);
      } else if (job.state() instanceof JobState.Ended) {
        return draft.refuse(ErrorCode.ALREADY_DONE);
      }
    } else if (!wish.nodes().equals(ALL)) {
      if (!areNodes(state, wish.nodes())) {
        return draft.refuse(ErrorCode.INVALID_NODE_NAME);
      }
    }
    if (wish.kinds().isEmpty()
        || !wish.program().startsWith("/")
        || wish.program().length() > LONGEST
        || state.hooks().triggers().size() >= MOST) {
      return draft.refuse(ErrorCode.BAD_INPUT);
    }
    int id = state.hooks().lastTrigger() + 1;
    draft.emit(new Event.TriggerChanged(new Trigger(id, caller.identity(), wish, "", null, null)));
    return draft.done();
  }

  private static boolean areNodes(ClusterState state, String list) {
    try {
      return HostList.expand(list).stream().allMatch(name -> state.node(name) != null);
    } catch (HostListException e) {
      return false;
    }
  }

  private static Reply clear(
      DecisionBuilder draft, TriggerChange.ClearTriggers clear, Caller.User caller) {
    List<Integer> ids = new ArrayList<>();
    boolean others = false;
    for (Trigger trigger : draft.state().hooks().triggers()) {
      if ((clear.id() == null || clear.id() == trigger.id())
          && (clear.jobId() == null || clear.jobId().equals(trigger.wish().jobId()))
          && (clear.user() == null || trigger.isOf(clear.user()))) {
        boolean may = caller.operator() || caller.identity().uid() == trigger.owner().uid();
        others |= !may;
        if (may) {
          ids.add(trigger.id());
        }
      }
    }
    if (ids.isEmpty()) {
      return draft.refuse(others ? ErrorCode.ACCESS_DENIED : ErrorCode.BAD_INPUT);
    }
    draft.emit(new Event.TriggersCleared(ids));
    return draft.done();
  }

  /** Lets triggers spring by what a decision has drafted. */
  public static void settle(DecisionBuilder draft) {
    if (draft.before().hooks().triggers().isEmpty() || draft.events().isEmpty()) {
      return;
    }
    SortedSet<String> nodes = new TreeSet<>();
    SortedSet<Integer> jobs = new TreeSet<>();
    boolean reconfigured = false;
    for (Event event : draft.events()) {
      reconfigured |= event instanceof Event.Configured;
      touched(event, nodes, jobs);
    }
    if (reconfigured) {
      springs(draft, TriggerKind.RECONFIGURED);
    }
    for (Trigger trigger : draft.before().hooks().triggers()) {
      List<String> changed =
          named(
              draft.before(),
              trigger,
              nodes.stream().filter(node -> concerns(draft, trigger, node)).toList());
      if (!changed.isEmpty()) {
        String told = trigger.wish().jobId() == null ? HostList.compress(changed) : of(trigger);
        spring(draft, trigger.id(), told, draft.now());
      }
    }
    jobs.forEach(id -> job(draft, id));
  }

  private static String of(Trigger trigger) {
    return String.valueOf(trigger.wish().jobId());
  }

  private static void touched(Event event, SortedSet<String> nodes, SortedSet<Integer> jobs) {
    if (event instanceof Event.NodeConditionChanged e) {
      nodes.add(e.node());
    } else if (event instanceof Event.NodeRegistered e) {
      nodes.add(e.node());
    } else if (event instanceof Event.NodeReleased e) {
      nodes.add(e.node());
    } else if (event instanceof Event.AllocationShrunk e) {
      nodes.addAll(HostList.expand(e.nodes()));
    } else if (event instanceof Event.JobEnding e) {
      jobs.add(e.jobId());
    } else if (event instanceof Event.JobFinished e) {
      jobs.add(e.jobId());
    } else if (event instanceof Event.JobDropped e) {
      jobs.add(e.jobId());
    } else if (event instanceof Event.JobsPurged e) {
      jobs.addAll(e.jobIds());
    }
  }

  /** All that wait for something that is of no node and no job. */
  private static void springs(DecisionBuilder draft, TriggerKind kind) {
    for (Trigger trigger : draft.before().hooks().triggers()) {
      if (trigger.waitsFor(kind)) {
        spring(draft, trigger.id(), ALL, draft.now());
      }
    }
  }

  /** With what it is now, as it may have sprung, or be gone, in the same decision. */
  private static void spring(DecisionBuilder draft, int id, String told, Instant at) {
    for (Trigger trigger : draft.state().hooks().triggers()) {
      if (trigger.id() == id) {
        Instant due = at.plusSeconds(Math.max(0, trigger.wish().offsetSeconds()));
        draft.emit(new Event.TriggerChanged(trigger.sprung(told, due)));
        return;
      }
    }
  }

  private static boolean concerns(DecisionBuilder draft, Trigger trigger, String name) {
    NodeRecord before = draft.before().node(name);
    NodeRecord after = draft.state().node(name);
    if (before == null || after == null) {
      return false;
    }
    return trigger.waitsFor(TriggerKind.NODE_DOWN) && !isDown(before) && isDown(after)
        || trigger.waitsFor(TriggerKind.NODE_UP) && isDown(before) && !isDown(after)
        || trigger.waitsFor(TriggerKind.NODE_DRAINED) && !isDrained(before) && isDrained(after)
        || trigger.waitsFor(TriggerKind.NODE_FAILING)
            && !before.condition().fail()
            && after.condition().fail();
  }

  /** Those of some nodes that a trigger is about; its list is long, and read only where it must. */
  private static List<String> named(ClusterState state, Trigger trigger, List<String> nodes) {
    Integer jobId = trigger.wish().jobId();
    if (nodes.isEmpty() || jobId == null && trigger.wish().nodes().equals(ALL)) {
      return nodes;
    }
    TreeSet<String> its = new TreeSet<>();
    if (jobId == null) {
      its.addAll(HostList.expand(trigger.wish().nodes()));
    } else {
      Job job = state.job(jobId);
      Allocation held = job == null ? null : job.state().allocated();
      its.addAll(held == null ? List.of() : held.nodes());
    }
    return nodes.stream().filter(its::contains).toList();
  }

  private static boolean isDown(NodeRecord node) {
    return node.life() == NodeLife.Plain.DOWN;
  }

  private static boolean isDrained(NodeRecord node) {
    return node.condition().drain() && !isDown(node) && node.shares().isEmpty();
  }

  /** A job came to its time limit, ended, or is gone. */
  private static void job(DecisionBuilder draft, int id) {
    Job job = draft.state().job(id);
    boolean over = job == null || job.state() instanceof JobState.Ended;
    boolean timedOut =
        job != null
            && job.state() instanceof JobState.Completing completing
            && completing.outcome() instanceof JobOutcome.TimedOut;
    List<Integer> useless = new ArrayList<>();
    for (Trigger trigger : draft.state().hooks().triggers()) {
      if (trigger.wish().jobId() == null || trigger.wish().jobId() != id) {
        continue;
      }
      boolean springs =
          timedOut && trigger.waitsFor(TriggerKind.JOB_TIME_LIMIT)
              || over && job != null && trigger.waitsFor(TriggerKind.JOB_ENDED);
      if (springs && trigger.due() == null) {
        spring(draft, trigger.id(), of(trigger), draft.now());
      } else if (over && trigger.due() == null) {
        useless.add(trigger.id());
      }
    }
    if (!useless.isEmpty()) {
      draft.emit(new Event.TriggersCleared(useless));
    }
  }

  /** Lets those spring that time brings, and runs programs that are due. */
  public static void tick(DecisionBuilder draft) {
    for (Trigger trigger : draft.state().hooks().triggers()) {
      if (trigger.due() == null) {
        timely(draft, trigger);
      }
    }
    for (Trigger trigger : draft.state().hooks().triggers()) {
      Instant due = trigger.due();
      if (due != null && !draft.now().isBefore(due)) {
        draft.emit(new Event.TriggerFired(trigger.id(), draft.now()));
        draft.effect(
            new Effect.RunTrigger(trigger.id(), trigger.wish().program(), trigger.sprung()));
      }
    }
  }

  private static void timely(DecisionBuilder draft, Trigger trigger) {
    Integer jobId = trigger.wish().jobId();
    if (jobId != null && trigger.waitsFor(TriggerKind.JOB_TIME_LIMIT)) {
      Job job = draft.state().job(jobId);
      Instant end =
          job != null && job.state() instanceof JobState.Running running
              ? running.latestEnd()
              : null;
      boolean before = trigger.wish().offsetSeconds() < 0;
      if (end != null
          && before
          && trigger.fired() == null
          && !draft.now().isBefore(end.plusSeconds(trigger.wish().offsetSeconds()))) {
        draft.emit(new Event.TriggerChanged(trigger.sprung(of(trigger), draft.now())));
      }
    } else if (jobId == null && trigger.waitsFor(TriggerKind.NODE_IDLE)) {
      List<String> idle = new ArrayList<>();
      for (NodeRecord node : draft.state().nodes().values()) {
        if (isIdle(node, trigger, draft.now())) {
          idle.add(node.name());
        }
      }
      List<String> told = named(draft.state(), trigger, idle);
      if (!told.isEmpty()) {
        draft.emit(new Event.TriggerChanged(trigger.sprung(HostList.compress(told), draft.now())));
      }
    }
  }

  /** Whether it has been idle for so long, and was not told of since it became so. */
  private static boolean isIdle(NodeRecord node, Trigger trigger, Instant now) {
    @Nullable Instant since = node.lastBusy();
    if (since == null || node.life() != NodeLife.Plain.UP || !node.shares().isEmpty()) {
      return false;
    }
    Instant enough = since.plusSeconds(Math.max(0, trigger.wish().offsetSeconds()));
    Instant fired = trigger.fired();
    return !now.isBefore(enough) && (fired == null || enough.isAfter(fired));
  }
}

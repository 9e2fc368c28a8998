package io.dure.model.hook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the cluster keeps of those that are told of jobs and nodes.
 *
 * @param completed count of the events up to which JobCompType has recorded the jobs that ended
 * @param fileLength bytes of the file JobCompLoc after them, 0 where it is no file
 * @param triggers programs that are to run when something happens, the oldest first
 * @param lastTrigger the number of the trigger that was set last, 0 for none
 */
public record HookBook(long completed, long fileLength, List<Trigger> triggers, int lastTrigger) {
  /** That of a cluster that has told of nothing. */
  public static final HookBook EMPTY = new HookBook(0, 0, List.of(), 0);

  public HookBook {
    triggers = List.copyOf(triggers);
  }

  /** The same with jobs recorded. */
  public HookBook recorded(long position, long length) {
    return new HookBook(position, length, triggers, lastTrigger);
  }

  /** The same with a trigger in place of the one of its number, or behind all. */
  public HookBook with(Trigger trigger) {
    List<Trigger> next = new ArrayList<>(triggers);
    int at = place(trigger.id());
    if (at < 0) {
      next.add(trigger);
    } else {
      next.set(at, trigger);
    }
    return new HookBook(completed, fileLength, next, Math.max(lastTrigger, trigger.id()));
  }

  /** The same without some triggers. */
  public HookBook without(List<Integer> ids) {
    return new HookBook(
        completed,
        fileLength,
        triggers.stream().filter(trigger -> !ids.contains(trigger.id())).toList(),
        lastTrigger);
  }

  /** The same after the program of a trigger was begun. */
  public HookBook fired(int id, Instant at) {
    int place = place(id);
    if (place < 0) {
      return this;
    }
    Trigger trigger = triggers.get(place);
    return trigger.wish().permanent() ? with(trigger.fired(at)) : without(List.of(id));
  }

  private int place(int id) {
    for (int i = 0; i < triggers.size(); i++) {
      if (triggers.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }
}

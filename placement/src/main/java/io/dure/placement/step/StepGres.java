package io.dure.placement.step;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import io.dure.model.job.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The generic resources of a step: its part of those that its job holds. */
final class StepGres {
  private final @Nullable GresRequest asked;

  StepGres(@Nullable GresRequest asked) {
    this.asked = asked;
  }

  /**
   * Why a job with these shares never has what is asked for, null if it may; empty where there is
   * nothing to say of it.
   */
  @Nullable String refusal(List<NodeShare> shares) {
    if (asked == null || asked.isEmpty()) {
      return null;
    }
    if (shares.stream().allMatch(share -> share.gres().isEmpty())) {
      return "Step requested GRES but job doesn't have GRES";
    }
    for (GresCount one : asked.all()) {
      if (total(shares, one) == 0) {
        return "Step requested GRES (" + one.kind() + ") not found in the job";
      }
    }
    for (GresCount one : asked.perNode()) {
      long most = most(shares, one);
      if (one.count() > most) {
        return "Step requested gres_per_node="
            + one.text()
            + " is more than the job's gres_per_node="
            + one.kind()
            + ":"
            + most;
      }
    }
    boolean tooMany =
        asked.perJob().stream().anyMatch(one -> one.count() > total(shares, one))
            || asked.perTask().stream().anyMatch(one -> one.count() > most(shares, one));
    return tooMany ? "" : null;
  }

  private static long most(List<NodeShare> shares, GresCount one) {
    return shares.stream().mapToLong(share -> count(share.gres(), one)).max().orElse(0);
  }

  private static long total(List<NodeShare> shares, GresCount one) {
    return shares.stream().mapToLong(share -> count(share.gres(), one)).sum();
  }

  private static boolean matches(GresCount wanted, GresShare share) {
    return NodeGres.matches(wanted.name(), wanted.type(), share.name(), share.type());
  }

  private static long count(List<GresShare> shares, GresCount one) {
    return shares.stream().filter(share -> matches(one, share)).mapToLong(GresShare::count).sum();
  }

  /** What no other step has of the job's part of a node; all of it for one that shares. */
  static List<GresShare> free(NodeShare share, OtherSteps beside) {
    List<GresShare> free = share.gres();
    if (!free.isEmpty()) {
      for (OtherSteps.Held other : beside.on(share.node())) {
        free = without(free, other.share().gres());
      }
    }
    return free;
  }

  private static List<GresShare> without(List<GresShare> free, List<GresShare> taken) {
    List<GresShare> left = new ArrayList<>();
    for (GresShare one : free) {
      GresShare rest = one;
      for (GresShare other : taken) {
        boolean same = other.name().equals(one.name()) && Objects.equals(other.type(), one.type());
        if (same && isOneByOne(one)) {
          List<Integer> devices = new ArrayList<>(rest.devices());
          devices.removeAll(other.devices());
          rest = new GresShare(one.name(), one.type(), devices, devices.size());
        } else if (same && other.devices().equals(one.devices())) {
          rest = counted(rest, rest.count() - other.count());
        }
      }
      if (rest.count() > 0) {
        left.add(rest);
      }
    }
    return left;
  }

  /** Whether each of them is a device; else the devices are what is shared, if anything. */
  private static boolean isOneByOne(GresShare share) {
    return share.devices().size() == share.count();
  }

  private static GresShare counted(GresShare share, long count) {
    return new GresShare(share.name(), share.type(), share.devices(), count);
  }

  /**
   * The most tasks for which a node has enough.
   *
   * @param free what it has for the step
   * @param whole what the job has there
   * @return 0 for a node that will not do
   */
  int tasks(List<GresShare> free, List<GresShare> whole) {
    if (asked == null) {
      return free.equals(whole) ? Integer.MAX_VALUE : 0;
    }
    long tasks = Integer.MAX_VALUE;
    for (GresCount one : asked.perNode()) {
      tasks = one.count() > count(free, one) ? 0 : tasks;
    }
    for (GresCount one : asked.perJob()) {
      tasks = one.count() > 0 && count(free, one) == 0 ? 0 : tasks;
    }
    for (GresCount one : asked.perTask()) {
      if (one.count() > 0 && !hasFixedCount(one)) {
        tasks = Math.min(tasks, count(free, one) / one.count());
      }
    }
    Integer sharing = asked.tasksPerGpu();
    if (sharing != null && !asked.isEmpty()) {
      long gpus = count(free, new GresCount(GresCount.GPU, null, 0));
      long here = GresRequest.gpus(asked.perNode());
      tasks = Math.min(tasks, (here > 0 ? Math.min(here, gpus) : gpus) * sharing);
    }
    return (int) tasks;
  }

  /** Whether how many there are is told otherwise than by the tasks. */
  private boolean hasFixedCount(GresCount one) {
    return asked != null
        && (asked.perNode().stream().anyMatch(other -> other.name().equals(one.name()))
            || asked.perJob().stream().anyMatch(other -> other.name().equals(one.name())));
  }

  /**
   * What each node gives.
   *
   * @param free what each of them has for the step
   * @param tasks how many tasks each of them runs, at least one
   * @return null if they have not enough
   */
  @Nullable List<List<GresShare>> taken(List<List<GresShare>> free, List<Integer> tasks) {
    if (asked == null) {
      return free;
    }
    List<List<GresShare>> taken = new ArrayList<>();
    for (int i = 0; i < free.size(); i++) {
      List<GresShare> here = new ArrayList<>();
      for (GresCount one : asked.perNode()) {
        here.addAll(some(free.get(i), one, one.count()));
      }
      for (GresCount one : asked.perTask()) {
        if (!hasFixedCount(one)) {
          here.addAll(some(free.get(i), one, one.count() * tasks.get(i)));
        }
      }
      taken.add(here);
    }
    for (GresCount one : asked.perJob()) {
      boolean perNode = asked.perNode().stream().anyMatch(o -> o.name().equals(one.name()));
      if (!perNode && !spread(one, free, taken)) {
        return null;
      }
    }
    return taken;
  }

  /** One for each node first; the rest from node to node, as much as it has. */
  private static boolean spread(
      GresCount one, List<List<GresShare>> free, List<List<GresShare>> taken) {
    long left = one.count();
    for (int i = 0; i < free.size(); i++) {
      long others = Math.min(Math.max(0, left - 1), free.size() - 1 - i);
      long here = Math.min(count(free.get(i), one), left - others);
      taken.get(i).addAll(some(free.get(i), one, here));
      left -= here;
    }
    return left == 0;
  }

  private static List<GresShare> some(List<GresShare> free, GresCount one, long count) {
    List<GresShare> some = new ArrayList<>();
    long left = count;
    for (GresShare share : free) {
      long here = matches(one, share) ? Math.min(left, share.count()) : 0;
      if (here > 0) {
        some.add(
            isOneByOne(share)
                ? new GresShare(
                    share.name(), share.type(), share.devices().subList(0, (int) here), here)
                : counted(share, here));
        left -= here;
      }
    }
    return some;
  }
}

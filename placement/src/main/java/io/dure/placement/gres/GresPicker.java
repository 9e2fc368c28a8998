package io.dure.placement.gres;

import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the devices that a job gets on a node: near each other and near free cores, of several
 * such groups the tightest, lowest index first.
 */
public final class GresPicker {
  private final GresLoad load;
  private final IntPredicate coreIsFree;
  private final int coresPerSocket;

  /** Whether only devices near free cores will do. */
  private boolean bound;

  /**
   * Chooses from what is free.
   *
   * @param load what is held; it is not changed
   * @param coreIsFree whether nothing is held of a core
   * @param coresPerSocket cores of a socket
   */
  public GresPicker(GresLoad load, IntPredicate coreIsFree, int coresPerSocket) {
    this.load = load.copy();
    this.coreIsFree = coreIsFree;
    this.coresPerSocket = Math.max(1, coresPerSocket);
  }

  /** Most tasks for which there is enough of everything; 0 if there is not for one. */
  public static int mostTasks(GresLoad load, GresDemand need, int coresPerSocket, int bound) {
    long tasks = bound;
    for (GresDemand.GresAsk ask : need.asks()) {
      long free = load.available(ask.name(), ask.type());
      if (free < ask.perNode() + ask.perTask() || ask.perJob() > 0 && free == 0) {
        return 0;
      }
      if (ask.sockets() > 0 && !spreads(load, ask, coresPerSocket)) {
        return 0;
      }
      if (ask.perTask() > 0) {
        tasks = Math.min(tasks, (free - ask.perNode()) / ask.perTask());
      }
      if (need.tasksPerGpu() > 0 && ask.isGpu() && ask.perTask() == 0) {
        long gpus = ask.perJob() > 0 ? Math.min(free, ask.perJob()) : ask.perNode();
        tasks = Math.min(tasks, gpus * need.tasksPerGpu());
      }
    }
    return (int) tasks;
  }

  /** Whether as many sockets as asked for have their part free. */
  private static boolean spreads(GresLoad load, GresDemand.GresAsk ask, int coresPerSocket) {
    return new GresPicker(load, _ -> true, coresPerSocket).bySocket(ask).size() >= ask.sockets();
  }

  /**
   * What the job gets for that many tasks.
   *
   * @param gpus GPUs of those that the job asks for as a whole
   */
  public List<GresShare> pick(GresDemand need, int tasks, long gpus) {
    List<GresShare> shares = new ArrayList<>();
    bound = need.bound();
    for (GresDemand.GresAsk ask : need.asks()) {
      long count = ask.forTasks(tasks) + (ask.perJob() > 0 ? Math.min(gpus, ask.perJob()) : 0);
      if (count > 0) {
        List<GresShare> some = pick(ask, count);
        load.hold(some);
        shares.addAll(some);
      }
    }
    return List.copyOf(shares);
  }

  /** All devices, and all that is counted: whole nodes come with them. */
  public static List<GresShare> everything(NodeGres gres) {
    List<GresShare> shares = new ArrayList<>(byType(gres.devices()));
    for (CountedGres stock : gres.stocks()) {
      if (stock.gpu() == null) {
        shares.add(new GresShare(stock.name(), stock.type(), List.of(), stock.count()));
      }
    }
    return List.copyOf(shares);
  }

  private List<GresShare> pick(GresDemand.GresAsk ask, long count) {
    List<GresDevice> free = free(ask.name(), ask.type());
    if (!free.isEmpty()) {
      return byType(ask.sockets() > 0 ? spread(ask) : nearest(free, (int) count));
    }
    int best = -1;
    for (int i = 0; i < load.stocks().size(); i++) {
      CountedGres stock = load.stocks().get(i);
      if (!NodeGres.matches(ask.name(), ask.type(), stock.name(), stock.type())) {
        continue;
      }
      if (stock.gpu() == null) {
        return List.of(new GresShare(stock.name(), stock.type(), List.of(), count));
      }
      if (load.free(i) >= count && (best < 0 || load.free(i) < load.free(best))) {
        best = i;
      }
    }
    if (best < 0) {
      return List.of();
    }
    CountedGres stock = load.stocks().get(best);
    List<Integer> gpu = stock.gpu() == null ? List.of() : List.of(stock.gpu());
    return List.of(new GresShare(stock.name(), stock.type(), gpu, count));
  }

  private List<GresDevice> free(String name, @Nullable String type) {
    List<GresDevice> free = new ArrayList<>();
    for (int i = 0; i < load.devices().size(); i++) {
      GresDevice device = load.devices().get(i);
      if (NodeGres.matches(name, type, device.name(), device.type())
          && load.isFree(i)
          && (!bound || freeCores(List.of(device)) > 0)) {
        free.add(device);
      }
    }
    return free;
  }

  /** The devices of the group that suits best, and of the next ones if it has too few. */
  private List<GresDevice> nearest(List<GresDevice> free, int count) {
    Map<List<Integer>, List<GresDevice>> groups = new LinkedHashMap<>();
    for (GresDevice device : free) {
      groups.computeIfAbsent(device.cores(), _ -> new ArrayList<>()).add(device);
    }
    List<List<GresDevice>> order = new ArrayList<>(groups.values());
    order.sort((a, b) -> {
      boolean aBusy = freeCores(a) == 0;
      boolean bBusy = freeCores(b) == 0;
      if (aBusy != bBusy) {
        return Boolean.compare(aBusy, bBusy);
      }
      boolean aWill = a.size() >= count;
      boolean bWill = b.size() >= count;
      if (aWill != bWill) {
        return Boolean.compare(bWill, aWill);
      }
      return aWill ? Integer.compare(a.size(), b.size()) : Integer.compare(b.size(), a.size());
    });
    List<GresDevice> chosen = new ArrayList<>();
    for (List<GresDevice> group : order) {
      chosen.addAll(group.subList(0, Math.min(group.size(), count - chosen.size())));
    }
    return chosen;
  }

  private int freeCores(List<GresDevice> group) {
    List<Integer> cores = group.getFirst().cores();
    int free = cores.isEmpty() ? 1 : 0;
    for (int core : cores) {
      free += coreIsFree.test(core) ? 1 : 0;
    }
    return free;
  }

  /** The free devices of each socket that has a socket's part of them. */
  private List<List<GresDevice>> bySocket(GresDemand.GresAsk ask) {
    long part = ask.perNode() / ask.sockets();
    Map<Integer, List<GresDevice>> sockets = new LinkedHashMap<>();
    List<GresDevice> anywhere = new ArrayList<>();
    for (GresDevice device : free(ask.name(), ask.type())) {
      if (device.cores().isEmpty()) {
        anywhere.add(device);
      } else {
        int socket = device.cores().getFirst() / coresPerSocket;
        sockets.computeIfAbsent(socket, _ -> new ArrayList<>()).add(device);
      }
    }
    List<List<GresDevice>> enough = new ArrayList<>();
    for (List<GresDevice> socket : sockets.values()) {
      if (socket.size() >= part) {
        enough.add(socket.subList(0, (int) part));
      }
    }
    for (int at = 0; at + part <= anywhere.size(); at += (int) part) {
      enough.add(anywhere.subList(at, at + (int) part));
    }
    return enough;
  }

  private List<GresDevice> spread(GresDemand.GresAsk ask) {
    List<GresDevice> chosen = new ArrayList<>();
    for (List<GresDevice> socket : bySocket(ask)) {
      if (chosen.size() < ask.perNode()) {
        chosen.addAll(socket);
      }
    }
    return chosen;
  }

  /** One share for each type. */
  private static List<GresShare> byType(List<GresDevice> devices) {
    List<GresShare> shares = new ArrayList<>();
    List<GresDevice> left = new ArrayList<>(devices);
    while (!left.isEmpty()) {
      GresDevice first = left.getFirst();
      List<Integer> indices = new ArrayList<>();
      for (GresDevice device : left) {
        if (same(first, device)) {
          indices.add(device.index());
        }
      }
      left.removeIf(device -> same(first, device));
      Collections.sort(indices);
      shares.add(new GresShare(first.name(), first.type(), indices, indices.size()));
    }
    return shares;
  }

  private static boolean same(GresDevice a, GresDevice b) {
    return a.name().equals(b.name()) && Objects.equals(a.type(), b.type());
  }
}

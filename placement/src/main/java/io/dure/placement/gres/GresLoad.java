package io.dure.placement.gres;

import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which generic resources of one node are held. A GPU is given whole or in shares, never both at a
 * time. Lives in one thread.
 */
public final class GresLoad {
  private final List<GresDevice> devices;
  private final List<CountedGres> stocks;

  /** How many jobs hold each device; more than one is an error that {@link #overheld} tells. */
  private final int[] held;

  /** Those of them that are promised to a job that takes any of the kind. */
  private final boolean[] promised;

  /** How many are held of each stock. */
  private final long[] used;

  /** Position of each stock's GPU among the devices, -1 for what is only counted. */
  private final int[] shares;

  /** All free. */
  public GresLoad(NodeGres gres) {
    devices = gres.devices();
    stocks = gres.stocks();
    held = new int[devices.size()];
    promised = new boolean[devices.size()];
    used = new long[stocks.size()];
    shares = new int[stocks.size()];
    for (int i = 0; i < shares.length; i++) {
      Integer gpu = stocks.get(i).gpu();
      shares[i] = gpu == null ? -1 : device("gpu", gpu);
    }
  }

  private GresLoad(GresLoad like) {
    devices = like.devices;
    stocks = like.stocks;
    held = like.held.clone();
    promised = like.promised.clone();
    used = like.used.clone();
    shares = like.shares;
  }

  /** The same, to be changed on its own. */
  public GresLoad copy() {
    return new GresLoad(this);
  }

  /** Notes what a job holds. */
  public void hold(List<GresShare> gres) {
    change(gres, 1);
  }

  /** Notes that a job holds these, or where the sign is -1, that it does not any more. */
  public void change(List<GresShare> gres, int sign) {
    for (GresShare share : gres) {
      boolean oneByOne = false;
      for (int index : share.devices()) {
        int device = device(share.name(), index);
        if (device >= 0) {
          change(device, sign);
          oneByOne = true;
        }
      }
      if (!oneByOne) {
        count(share, sign);
      }
    }
  }

  private void change(int device, int sign) {
    int other = sign > 0 && promised[device] ? another(device) : -1;
    if (other >= 0) {
      // The job that was promised this one takes that one.
      promised[device] = false;
      promised[other] = true;
      held[other]++;
    } else {
      held[device] += sign;
    }
  }

  /** A free device of the same kind, -1 if there is none. */
  private int another(int device) {
    GresDevice like = devices.get(device);
    for (int i = 0; i < held.length; i++) {
      if (isFree(i)
          && devices.get(i).name().equals(like.name())
          && Objects.equals(devices.get(i).type(), like.type())) {
        return i;
      }
    }
    return -1;
  }

  /** Sets aside what a job would hold: as many of the kind, whichever they are. */
  public void reserve(List<GresShare> gres) {
    for (GresShare share : gres) {
      boolean oneByOne = false;
      for (int index : share.devices()) {
        int device = device(share.name(), index);
        if (device >= 0) {
          int free = isFree(device) ? device : another(device);
          int taken = free < 0 ? device : free;
          held[taken]++;
          promised[taken] = true;
          oneByOne = true;
        }
      }
      if (!oneByOne) {
        count(share, 1);
      }
    }
  }

  private void count(GresShare share, int sign) {
    long left = share.count();
    int last = -1;
    for (int i = 0; i < used.length && left > 0; i++) {
      if (isOf(share, stocks.get(i)) && stocks.get(i).consumed()) {
        long some = Math.min(left, sign > 0 ? free(i) : used[i]);
        used[i] += sign * some;
        left -= some;
        last = i;
      }
    }
    if (last >= 0) {
      used[last] += sign * left;
    }
  }

  private static boolean isOf(GresShare share, CountedGres stock) {
    return NodeGres.matches(share.name(), share.type(), stock.name(), stock.type())
        && (share.devices().isEmpty() || share.devices().equals(gpuOf(stock)));
  }

  private static List<Integer> gpuOf(CountedGres stock) {
    return stock.gpu() == null ? List.of() : List.of(stock.gpu());
  }

  private int device(String name, int index) {
    for (int i = 0; i < devices.size(); i++) {
      GresDevice device = devices.get(i);
      if (device.index() == index && device.name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  boolean isFree(int device) {
    if (held[device] > 0) {
      return false;
    }
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] == device && used[i] > 0) {
        return false;
      }
    }
    return true;
  }

  /** What is left of a stock; nothing of a GPU that is held whole. */
  long free(int stock) {
    if (shares[stock] >= 0 && held[shares[stock]] > 0) {
      return 0;
    }
    CountedGres one = stocks.get(stock);
    return one.consumed() ? Math.max(0, one.count() - used[stock]) : one.count();
  }

  /** Thousandths of a device that are free: of one that is shared, what is left of its parts. */
  public int freeMilli(int device) {
    if (held[device] > 0) {
      return 0;
    }
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] == device && used[i] > 0) {
        return (int) (free(i) * 1000 / Math.max(1, stocks.get(i).count()));
      }
    }
    return 1000;
  }

  /** The devices. */
  public List<GresDevice> devices() {
    return devices;
  }

  List<CountedGres> stocks() {
    return stocks;
  }

  /**
   * How many of a sort a job may get: devices and what is counted in all, of a shared GPU what is
   * left of the one that has most.
   */
  public long available(String name, @Nullable String type) {
    long count = 0;
    long most = 0;
    for (int i = 0; i < held.length; i++) {
      GresDevice device = devices.get(i);
      count += NodeGres.matches(name, type, device.name(), device.type()) && isFree(i) ? 1 : 0;
    }
    for (int i = 0; i < used.length; i++) {
      CountedGres stock = stocks.get(i);
      if (NodeGres.matches(name, type, stock.name(), stock.type())) {
        count += stock.gpu() == null ? free(i) : 0;
        most = stock.gpu() == null ? most : Math.max(most, free(i));
      }
    }
    return count + most;
  }

  /** Whether a job could hold these beside what is held. */
  public boolean allFree(List<GresShare> gres) {
    for (GresShare share : gres) {
      boolean counted = true;
      for (int index : share.devices()) {
        int device = device(share.name(), index);
        counted &= device < 0;
        if (device >= 0 && !isFree(device)) {
          return false;
        }
      }
      if (counted && left(share) < share.count()) {
        return false;
      }
    }
    return true;
  }

  private long left(GresShare share) {
    long left = 0;
    for (int i = 0; i < used.length; i++) {
      left += isOf(share, stocks.get(i)) ? free(i) : 0;
    }
    return left;
  }

  /** What is given to more than it has room for, for a message; null if nothing is. */
  public @Nullable String overheld() {
    for (int i = 0; i < held.length; i++) {
      if (held[i] > 1) {
        return devices.get(i).name() + " " + devices.get(i).index() + " is given twice";
      }
    }
    for (int i = 0; i < used.length; i++) {
      CountedGres stock = stocks.get(i);
      if (stock.consumed() && used[i] > stock.count()) {
        return stock.name() + " is given beyond its count";
      }
      if (shares[i] >= 0 && used[i] > 0 && held[shares[i]] > 0) {
        return "a GPU is given whole and in shares";
      }
    }
    return null;
  }
}

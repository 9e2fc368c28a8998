package io.dure.model.gres;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generic resources of a node.
 *
 * @param devices given one by one, those of one name in the order of their indices
 * @param stocks given by number
 * @param autoDetect which drivers tell the node of its GPUs ({@code AutoDetect}), empty for none
 */
public record NodeGres(List<GresDevice> devices, List<CountedGres> stocks, String autoDetect) {
  /** None. */
  public static final NodeGres NONE = new NodeGres(List.of(), List.of());

  /** Resources that are all configured. */
  public NodeGres(List<GresDevice> devices, List<CountedGres> stocks) {
    this(devices, stocks, "");
  }

  public NodeGres {
    devices = List.copyOf(devices);
    stocks = List.copyOf(stocks);
  }

  /** True if there are none. */
  public boolean isEmpty() {
    return devices.isEmpty() && stocks.isEmpty();
  }

  /** How many of a name and type (null for any) there are. */
  public long count(String name, @Nullable String type) {
    long count = 0;
    for (GresDevice device : devices) {
      count += matches(name, type, device.name(), device.type()) ? 1 : 0;
    }
    for (CountedGres stock : stocks) {
      count += matches(name, type, stock.name(), stock.type()) ? stock.count() : 0;
    }
    return count;
  }

  /** Whether something of that name and type is what is wanted; a null type wants any. */
  public static boolean matches(
      String wantedName, @Nullable String wantedType, String name, @Nullable String type) {
    return name.equals(wantedName) && (wantedType == null || wantedType.equals(type));
  }

  /** The cores near each GPU, of those that have any. */
  public List<NearCores> nearCores() {
    return devices.stream()
        .filter(device -> device.name().equals(GresCount.GPU) && !device.cores().isEmpty())
        .map(device -> new NearCores(device.index(), device.cores()))
        .toList();
  }

  /**
   * These with the cores that a driver tells of, where none are configured.
   *
   * @param before what was told before, and is forgotten
   */
  public NodeGres withNearCores(List<NearCores> before, List<NearCores> now) {
    if (autoDetect.isEmpty() || before.equals(now) && nearCores().equals(now)) {
      return this;
    }
    List<GresDevice> completed = new ArrayList<>();
    for (GresDevice device : devices) {
      boolean configured =
          !device.cores().isEmpty()
              && !before.contains(new NearCores(device.index(), device.cores()));
      completed.add(
          device.name().equals(GresCount.GPU) && !configured
              ? device.withCores(coresNear(device.index(), now))
              : device);
    }
    return new NodeGres(completed, stocks, autoDetect);
  }

  private static List<Integer> coresNear(int gpu, List<NearCores> told) {
    for (NearCores one : told) {
      if (one.gpu() == gpu) {
        return one.cores();
      }
    }
    return List.of();
  }

  /** The cores near these devices, empty where all are alike. */
  public List<Integer> near(List<GresShare> shares) {
    List<Integer> near = new ArrayList<>();
    for (GresShare share : shares) {
      for (GresDevice device : devices()) {
        if (device.name().equals(share.name()) && share.devices().contains(device.index())) {
          near.addAll(device.cores());
        }
      }
    }
    return near;
  }
}

package io.dure.host.gpu;

import java.util.List;

/**
 * A GPU as it sits in a machine, and the parts of it that jobs get.
 *
 * @param whole all of it
 * @param isCut whether jobs get only parts of it, of which there may be none yet
 * @param parts its MIG instances
 */
public record GpuCard(GpuDevice whole, boolean isCut, List<GpuDevice> parts) {
  public GpuCard {
    parts = List.copyOf(parts);
  }

  /** One that jobs get as it is. */
  static GpuCard uncut(GpuDevice whole) {
    return new GpuCard(whole, false, List.of());
  }

  /** What jobs get of it. */
  public List<GpuDevice> devices() {
    return isCut ? parts : List.of(whole);
  }
}

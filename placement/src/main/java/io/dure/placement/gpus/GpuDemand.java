package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import io.dure.model.request.ResourceRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/** How often each shape is asked for. One thread. */
public final class GpuDemand {
  private final GpuTypes types;
  private final Map<GpuTaskShape, Integer> counts = new LinkedHashMap<>();

  /** Nothing yet. */
  public GpuDemand(GpuTypes types) {
    this.types = types;
  }

  /** The types of GPUs that shapes are told by. */
  public GpuTypes types() {
    return types;
  }

  /** Counts a request so many times more, or less. */
  public void add(ResourceRequest request, int times) {
    GpuTaskShape shape = request.gres() == null || types.isEmpty() ? null : types.shape(request);
    if (shape != null) {
      counts.merge(shape, times, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
    }
  }

  /** Counts what another has counted too. */
  public void addAll(GpuDemand other) {
    other.counts.forEach((shape, times) -> counts.merge(shape, times, Integer::sum));
  }

  /** The same, to be counted on. */
  public GpuDemand copy() {
    GpuDemand copy = new GpuDemand(types);
    copy.counts.putAll(counts);
    return copy;
  }

  /** The counts, in an order of the shapes alone. */
  public SequencedMap<GpuTaskShape, Double> counts() {
    SequencedMap<GpuTaskShape, Double> all = new TreeMap<>(GpuTaskShape.ORDER);
    counts.forEach((shape, times) -> all.put(shape, (double) times));
    return all;
  }
}

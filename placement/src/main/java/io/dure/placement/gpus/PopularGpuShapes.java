package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;

/**
 * The shapes that a cluster is asked for most, with how often: those to come are taken to be like
 * them.
 *
 * @param shapes the most frequent first
 */
public record PopularGpuShapes(List<Weighted> shapes) {
  private static final Comparator<Weighted> MOST_FREQUENT =
      Comparator.comparingDouble((Weighted one) -> -one.weight())
          .thenComparing(Weighted::shape, GpuTaskShape.ORDER);

  public PopularGpuShapes {
    shapes = List.copyOf(shapes);
  }

  /**
   * A shape and its part of all that is asked for.
   *
   * @param weight 0 to 1; all of them together 1
   */
  public record Weighted(GpuTaskShape shape, double weight) {}

  /**
   * The most frequent shapes.
   *
   * @param counts how often each is asked for
   * @param bound most shapes, which bounds what a decision takes
   */
  public static PopularGpuShapes of(SequencedMap<GpuTaskShape, Double> counts, int bound) {
    List<Weighted> order = new ArrayList<>();
    for (var one : counts.entrySet()) {
      order.add(new Weighted(one.getKey(), one.getValue()));
    }
    order.sort(MOST_FREQUENT);
    List<Weighted> most = order.subList(0, Math.min(bound, order.size()));
    double all = most.stream().mapToDouble(Weighted::weight).sum();
    return new PopularGpuShapes(
        most.stream().map(one -> new Weighted(one.shape(), one.weight() / all)).toList());
  }
}

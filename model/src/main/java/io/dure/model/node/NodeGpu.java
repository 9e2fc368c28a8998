package io.dure.model.node;

import java.util.List;

/**
 * A GPU of a node, as its driver tells of it. Its place among the node's, from 0, is the number
 * that links and {@link NodeMetrics#gpuHealth} count by.
 *
 * @param driver what tells of it, {@code nvml}; {@code files} where files stand in for a GPU
 * @param type its type, as Slurm makes it from the product: {@code nvidia_h100_80gb_hbm3}
 * @param uuid names it for ever
 * @param files its device files
 * @param memoryMib its memory, MiB; 0 where that is not known
 * @param cores the node's cores near it, rising; empty where all are alike
 * @param links for each GPU of the node, how many direct links lead to it, -1 for this one; empty
 *     where that is not known
 * @param parts its MIG instances
 */
public record NodeGpu(
    String driver,
    String type,
    String uuid,
    List<String> files,
    long memoryMib,
    List<Integer> cores,
    List<Integer> links,
    List<Part> parts) {
  /** What health says of a GPU of which nothing is known to be wrong. */
  public static final String WELL = "ok";

  /** What health says of a GPU whose driver cannot tell, or has not told yet. */
  public static final String UNKNOWN = "unknown";

  public NodeGpu {
    files = List.copyOf(files);
    cores = List.copyOf(cores);
    links = List.copyOf(links);
    parts = List.copyOf(parts);
  }

  /**
   * A MIG instance.
   *
   * @param profile which part of the GPU, {@code 1g.5gb}
   * @param uuid names it until it is made anew
   */
  public record Part(String profile, String uuid) {}
}

package io.dure.model.gres;

import java.util.List;

/**
 * The cores of a node near one of its GPUs, as a driver tells.
 *
 * @param gpu the GPU's index
 * @param cores the node's, rising
 */
public record NearCores(int gpu, List<Integer> cores) {
  public NearCores {
    cores = List.copyOf(cores);
  }
}

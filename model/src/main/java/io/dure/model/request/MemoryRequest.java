package io.dure.model.request;

/** How much memory a job asks for, in MiB. */
public sealed interface MemoryRequest {

  /** {@code --mem}: on each node; 0 means all of the node's memory. */
  record PerNode(long mib) implements MemoryRequest {
    static final String TAG = "PerNode";
  }

  /** {@code --mem-per-cpu}: for each allocated CPU. */
  record PerCpu(long mib) implements MemoryRequest {
    static final String TAG = "PerCpu";
  }

  /** {@code --mem-per-gpu}: for each GPU. */
  record PerGpu(long mib) implements MemoryRequest {
    static final String TAG = "PerGpu";
  }

  /** The user named none: DefMemPerCPU or DefMemPerNode of partition or cluster holds. */
  record Default() implements MemoryRequest {
    static final String TAG = "Default";
  }
}

package io.dure.host.gpu;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tells of the GPUs of a machine. One thread at a time. */
public interface GpuDriver extends AutoCloseable {
  /** What it is and which version, for logs. */
  String description();

  /** What it is in a word, {@code nvml}. */
  String name();

  /**
   * The GPUs, in the order of their bus addresses.
   *
   * @throws IOException if it cannot tell
   */
  List<GpuCard> cards() throws IOException;

  /**
   * What jobs get: the GPUs in their order, one that is cut into parts as its parts.
   *
   * @throws IOException if it cannot tell
   */
  default List<GpuDevice> devices() throws IOException {
    return cards().stream().flatMap(card -> card.devices().stream()).toList();
  }

  /** Whether {@link #faults} knows; without it nothing is known of how GPUs are. */
  boolean tellsFaults();

  /**
   * What is wrong with GPUs; empty if all are well or that is not known.
   *
   * @throws IOException if it cannot tell
   */
  List<GpuFault> faults() throws IOException;

  /**
   * What processes have of GPUs now, a process once or more for each that it uses; null if the
   * driver does not tell that.
   *
   * @throws IOException if it cannot tell
   */
  @Nullable List<GpuProcess> processes() throws IOException;

  @Override
  void close();
}

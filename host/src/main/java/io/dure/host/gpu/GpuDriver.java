package io.dure.host.gpu;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tells of the GPUs of a machine. One thread at a time. */
public interface GpuDriver extends AutoCloseable {
  /** What it is and which version, for logs. */
  String description();

  /**
   * The GPUs, in the order of their bus addresses; a GPU that is cut into parts is its parts.
   *
   * @throws IOException if it cannot tell
   */
  List<GpuDevice> devices() throws IOException;

  /**
   * What is wrong with GPUs, a text for each that names the GPU; empty if all are well or that is
   * not known. What has been said once need not be said again.
   *
   * @throws IOException if it cannot tell
   */
  List<String> faults() throws IOException;

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

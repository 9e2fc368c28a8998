package io.dure.host.gpu;

import java.io.IOException;

/** A GPU has fallen off its bus: the machine has to be booted. */
final class GpuLostException extends IOException {
  private static final long serialVersionUID = 1;

  GpuLostException(String message) {
    super(message);
  }
}

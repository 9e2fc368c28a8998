package io.dure.controller.loop;

/** It was not stored, because the controller stops to lead. */
final class StoppingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoppingException() {
    super("the controller is stopping");
  }
}

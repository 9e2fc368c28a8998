package io.dure.rest;

/** A request that is not carried out; the answer is a text. */
final class RefusedRequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * A refusal.
   *
   * @param status of HTTP, from 400 up
   */
  RefusedRequestException(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}

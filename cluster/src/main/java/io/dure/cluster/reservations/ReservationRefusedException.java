package io.dure.cluster.reservations;

import io.dure.model.ErrorCode;

/** A request that is refused; never leaves the package. */
final class ReservationRefusedException extends Exception {
  private static final long serialVersionUID = 1;
  private final ErrorCode code;
  private final String detail;

  ReservationRefusedException(ErrorCode code) {
    this(code, "");
  }

  ReservationRefusedException(ErrorCode code, String detail) {
    super(code.text());
    this.code = code;
    this.detail = detail;
  }

  ErrorCode code() {
    return code;
  }

  String detail() {
    return detail;
  }
}

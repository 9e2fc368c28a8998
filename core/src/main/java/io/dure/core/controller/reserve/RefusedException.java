package io.dure.core.controller.reserve;

import io.dure.core.model.ErrorCode;

/** A request that is refused; never leaves the package. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;
  private final ErrorCode code;
  private final String detail;

  RefusedException(ErrorCode code) {
    this(code, "");
  }

  RefusedException(ErrorCode code, String detail) {
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

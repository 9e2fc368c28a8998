package io.dure.controller.service;

import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.protocol.Response;
import org.jspecify.annotations.Nullable;

/** The user in whose name a request is executed, which only an operator may choose. */
sealed interface RunAs {
  /** Allowed. */
  record User(Caller.User user) implements RunAs {}

  /** Denied, with the response that says so. */
  record Denied(Response response) implements RunAs {}

  /**
   * Checks the request of a caller.
   *
   * @param runAs name or number of another user, null for the caller itself
   */
  static RunAs of(@Nullable String runAs, Caller.User caller, CallerDirectory callers) {
    if (runAs == null) {
      return new User(caller);
    }
    if (!caller.operator()) {
      return new Denied(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    }
    Caller.User other = callers.byNameOrNumber(runAs);
    return other == null
        ? new Denied(new Response.Failed(ErrorCode.USER_ID_MISSING, "no user " + runAs))
        : new User(other.at(caller.host()));
  }
}

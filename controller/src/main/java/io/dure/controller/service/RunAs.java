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
   * @param runAs name or number of another user, behind a colon that of a group, as {@code chown}
   *     writes them; null for the caller itself
   */
  static RunAs of(@Nullable String runAs, Caller.User caller, CallerDirectory callers) {
    if (runAs == null) {
      return new User(caller);
    }
    if (!caller.operator()) {
      return new Denied(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    }
    int colon = runAs.indexOf(':');
    String user = colon < 0 ? runAs : runAs.substring(0, colon);
    Caller.User other = user.isEmpty() ? caller : callers.byNameOrNumber(user);
    if (other == null) {
      return new Denied(new Response.Failed(ErrorCode.USER_ID_MISSING, "no user " + user));
    }
    String group = colon < 0 ? null : runAs.substring(colon + 1);
    Integer gid = group == null ? Integer.valueOf(other.identity().gid()) : callers.gid(group);
    return gid == null
        ? new Denied(new Response.Failed(ErrorCode.GROUP_ID_MISSING, "no group " + group))
        : new User(callers.of(other.identity().uid(), gid, caller.host()));
  }
}

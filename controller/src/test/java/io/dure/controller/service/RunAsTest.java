package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.host.user.CachedUserDatabase;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.protocol.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In whose name, and in which group, operators may ask for something. */
@Tag("pure")
class RunAsTest {
  private static final int SLURM = 64030;

  private final CallerDirectory callers =
      new CallerDirectory(CachedUserDatabase.ofThisMachine(), SLURM, "c1");
  private final Caller.User root = callers.of(0, 0, "login");

  private Caller.User as(String runAs) {
    return assertInstanceOf(RunAs.User.class, RunAs.of(runAs, root, callers)).user();
  }

  private ErrorCode denied(String runAs, Caller.User caller) {
    RunAs.Denied denied = assertInstanceOf(RunAs.Denied.class, RunAs.of(runAs, caller, callers));
    return assertInstanceOf(Response.Failed.class, denied.response()).code();
  }

  @Test
  void rootChoosesUserAndGroup() {
    int own = as("nobody").identity().gid();
    assertEquals("nobody", as("nobody:0").identity().userName());
    assertEquals(0, as("nobody:0").identity().gid());
    assertEquals("root", as("nobody:root").identity().groupName());
    assertEquals(own, as(":" + own).identity().gid());
    assertEquals(0, as(":" + own).identity().uid());
    assertEquals("login", as(":" + own).host());
  }

  @Test
  void unknownUsersAndGroupsAreRefused() {
    assertEquals(ErrorCode.USER_ID_MISSING, denied("no_such_user:0", root));
    assertEquals(ErrorCode.GROUP_ID_MISSING, denied("nobody:no_such_group", root));
    assertEquals(ErrorCode.GROUP_ID_MISSING, denied(":", root));
  }

  @Test
  void othersChooseNothing() {
    Caller.User other = callers.of(64031, 64031, "login");
    assertEquals(ErrorCode.ACCESS_DENIED, denied("nobody", other));
    assertEquals(ErrorCode.ACCESS_DENIED, denied(":0", other));
  }
}

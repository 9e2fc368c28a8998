package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.host.user.CachedUserDatabase;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.config.parameters.JwtSettings;
import io.dure.protocol.Request;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is given tokens, for whom and for how long; as Slurm 22.05 answers the same. */
@Tag("pure")
class TokenRulesTest {
  private static final JwtSettings FREE = new JwtSettings("/k", null, "sun", false, 0);
  private static final JwtSettings CLOSED = new JwtSettings("/k", null, "sun", true, 0);
  private static final JwtSettings BOUNDED = new JwtSettings("/k", null, "sun", false, 100);

  private final CallerDirectory callers =
      new CallerDirectory(CachedUserDatabase.ofThisMachine(), 64030, "c1");
  private final Caller.User root = callers.of(0, 0);
  private final Caller.User slurm = callers.of(64030, 64030);
  private final Caller.User nobody = callers.byNameOrNumber("nobody");

  private static ErrorCode obstacle(String user, int seconds, JwtSettings is, Caller.User caller) {
    return AdministrationService.obstacle(new Request.MakeToken(user, seconds), is, caller);
  }

  private static int seconds(int asked, JwtSettings settings) {
    return AdministrationService.seconds(new Request.MakeToken(null, asked), settings);
  }

  @Test
  void usersGetTheirOwnOnly() {
    assertNull(obstacle(null, 0, FREE, nobody));
    assertNull(obstacle("nobody", 60, FREE, nobody));
    assertEquals(ErrorCode.USER_ID_MISSING, obstacle("root", 0, FREE, nobody));
    assertEquals(ErrorCode.USER_ID_MISSING, obstacle("no_such_user", 0, FREE, nobody));
    assertEquals(ErrorCode.USER_ID_MISSING, obstacle("", 0, FREE, nobody));
  }

  @Test
  void rootAndSlurmUserGetThoseOfAll() {
    for (Caller.User caller : new Caller.User[] {root, slurm}) {
      assertNull(obstacle("nobody", Integer.MAX_VALUE, FREE, caller));
      assertNull(obstacle("nobody", Integer.MAX_VALUE, BOUNDED, caller));
      assertNull(obstacle(null, 0, CLOSED, caller));
    }
    assertEquals(ErrorCode.BAD_INPUT, obstacle(null, -1, FREE, root));
  }

  @Test
  void whatTheSiteForbidsAndBounds() {
    assertEquals(ErrorCode.ACCESS_DENIED, obstacle(null, 0, CLOSED, nobody));
    assertNull(obstacle(null, 100, BOUNDED, nobody));
    assertEquals(ErrorCode.INVALID_TIME_LIMIT, obstacle(null, 101, BOUNDED, nobody));
  }

  @Test
  void howLong() {
    assertEquals(1800, seconds(0, FREE));
    assertEquals(60, seconds(60, FREE));
    assertEquals(Integer.MAX_VALUE, seconds(Integer.MAX_VALUE, FREE));
    assertEquals(100, seconds(0, BOUNDED));
    assertEquals(1800, seconds(0, new JwtSettings("/k", null, "sun", false, 5000)));
  }
}

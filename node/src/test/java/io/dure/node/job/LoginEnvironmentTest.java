package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.PasswdEntry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a login shows, however talkative its start files are. */
@Tag("process")
class LoginEnvironmentTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void ownLogin() throws Exception {
    PasswdEntry account = CachedUserDatabase.ofThisMachine().currentUser();
    Map<String, String> variables = LoginEnvironment.of(account);
    assertNotNull(variables);
    assertEquals(account.home(), variables.get("HOME"));
    assertNull(variables.get("SHLVL"));
  }

  @Test
  void onlyWhatStandsBetweenTheMarksCounts() {
    String text =
        "Welcome to HOME=/x\nXXXXDUREBEGINXXXXA=1\0B=two\nlines\0_=/usr/bin/env\0XXXXDUREENDXXXX";
    assertEquals(Map.of("A", "1", "B", "two\nlines"), LoginEnvironment.parse(bytes(text)));
    assertNull(LoginEnvironment.parse(bytes("no shell for you\n")));
    assertNull(LoginEnvironment.parse(bytes("XXXXDUREENDXXXX XXXXDUREBEGINXXXX")));
  }

  @Test
  void loginThatHangsIsGivenUp() throws Exception {
    PasswdEntry account = CachedUserDatabase.ofThisMachine().currentUser();
    assertNull(LoginEnvironment.of(account, Duration.ZERO));
  }
}

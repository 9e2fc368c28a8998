package io.dure.node.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * How the shepherd finds out the environment that a user has after a login, for a script that
 * brings none ({@code --export=NONE}, {@code --get-user-env}). What the script brings comes over
 * it.
 *
 * @param shell the program that is asked, as a login shell
 * @param home the directory it is started in
 * @param environment what it starts with
 * @param fallback what the script gets where neither it nor the login says otherwise
 * @param patience how long the shell may take; after that the script begins without
 */
public record LoginShell(
    String shell,
    String home,
    SequencedMap<String, String> environment,
    SequencedMap<String, String> fallback,
    Duration patience) {
  public LoginShell {
    environment = new LinkedHashMap<>(environment);
    fallback = new LinkedHashMap<>(fallback);
  }

  List<String> entries() {
    List<String> entries = new ArrayList<>();
    entries.add("login=" + shell);
    entries.add("login_home=" + home);
    entries.add("login_ms=" + patience.toMillis());
    environment.forEach((name, value) -> entries.add("login_env=" + name + "=" + value));
    fallback.forEach((name, value) -> entries.add("fallback=" + name + "=" + value));
    return entries;
  }
}

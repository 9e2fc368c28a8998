package io.dure.core.census;

import org.jspecify.annotations.Nullable;

/** Who holds something. */
public sealed interface Whom {

  /** An account, with all its users and the accounts below it. */
  record Account(String name) implements Whom {
    static final String TAG = "Account";
  }

  /**
   * A user.
   *
   * @param account whom its jobs are charged to, null for nobody
   */
  record User(String name, @Nullable String account) implements Whom {
    static final String TAG = "User";
  }

  /**
   * Users whom the asker may not see.
   *
   * @param account whom their jobs are charged to, null for nobody or whom the asker may not see
   */
  record Others(@Nullable String account) implements Whom {
    static final String TAG = "Others";
  }
}

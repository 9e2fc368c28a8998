package io.dure.model.report;

import org.jspecify.annotations.Nullable;

/** A holder of resources. */
public sealed interface ShareHolder {

  /** An account, with all its users and the accounts below it. */
  record Account(String name) implements ShareHolder {
    static final String TAG = "Account";
  }

  /**
   * A user.
   *
   * @param account account that its jobs are charged to, null for none
   */
  record User(String name, @Nullable String account) implements ShareHolder {
    static final String TAG = "User";
  }

  /**
   * Users whom the asker may not see.
   *
   * @param account whom their jobs are charged to, null for nobody or whom the asker may not see
   */
  record Others(@Nullable String account) implements ShareHolder {
    static final String TAG = "Others";
  }
}

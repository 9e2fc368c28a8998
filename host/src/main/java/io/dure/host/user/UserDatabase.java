package io.dure.host.user;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where users and groups are looked up: the machine's own database ({@link LibcUserDatabase}), or a
 * table in tests. Implementations may be called from any thread and may block for as long as a
 * directory service takes.
 *
 * <p>Every method throws {@link UserDatabaseException} if the database cannot be asked, which is
 * not the same as an unknown name.
 */
public interface UserDatabase {
  /** The user of that name, or null if there is none. */
  @Nullable PasswdEntry userByName(String name);

  /** The user with that number, or null if there is none. */
  @Nullable PasswdEntry userByUid(int uid);

  /** The group of that name, or null if there is none. */
  @Nullable GroupEntry groupByName(String name);

  /** The group with that number, or null if there is none. */
  @Nullable GroupEntry groupByGid(int gid);

  /**
   * All groups of a user, the given primary group among them; the primary group alone if unknown.
   */
  List<Integer> groupsOf(String userName, int primaryGid);
}

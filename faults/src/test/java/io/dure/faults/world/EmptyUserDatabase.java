package io.dure.faults.world;

import io.dure.host.user.GroupEntry;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes of the world need no users: nothing is really run. */
enum EmptyUserDatabase implements UserDatabase {
  INSTANCE;

  @Override
  public @Nullable PasswdEntry userByName(String name) {
    return null;
  }

  @Override
  public @Nullable PasswdEntry userByUid(int uid) {
    return null;
  }

  @Override
  public @Nullable GroupEntry groupByName(String name) {
    return null;
  }

  @Override
  public @Nullable GroupEntry groupByGid(int gid) {
    return null;
  }

  @Override
  public List<Integer> groupsOf(String userName, int primaryGid) {
    return List.of(primaryGid);
  }
}

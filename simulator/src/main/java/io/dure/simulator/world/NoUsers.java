package io.dure.simulator.world;

import io.dure.host.user.Account;
import io.dure.host.user.Group;
import io.dure.host.user.UserDatabase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes of the world need no users: nothing is really run. */
enum NoUsers implements UserDatabase {
  INSTANCE;

  @Override
  public @Nullable Account userByName(String name) {
    return null;
  }

  @Override
  public @Nullable Account userByUid(int uid) {
    return null;
  }

  @Override
  public @Nullable Group groupByName(String name) {
    return null;
  }

  @Override
  public @Nullable Group groupByGid(int gid) {
    return null;
  }

  @Override
  public List<Integer> groupsOf(String userName, int primaryGid) {
    return List.of(primaryGid);
  }
}

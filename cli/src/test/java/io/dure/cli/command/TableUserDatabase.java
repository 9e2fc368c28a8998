package io.dure.cli.command;

import io.dure.host.user.GroupEntry;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user database that holds alice, who is in the groups alice and projecta. */
public final class TableUserDatabase implements UserDatabase {
  private static final PasswdEntry ALICE =
      new PasswdEntry("alice", 1001, 1001, "/home/alice", "/bin/bash", "Alice Liddell");
  private static final List<GroupEntry> GROUPS =
      List.of(
          new GroupEntry("alice", 1001, List.of()), new GroupEntry("projecta", 2001, List.of()));

  @Override
  public @Nullable PasswdEntry userByName(String name) {
    return name.equals(ALICE.name()) ? ALICE : null;
  }

  @Override
  public @Nullable PasswdEntry userByUid(int uid) {
    return uid == ALICE.uid() ? ALICE : null;
  }

  @Override
  public @Nullable GroupEntry groupByName(String name) {
    return GROUPS.stream().filter(group -> group.name().equals(name)).findFirst().orElse(null);
  }

  @Override
  public @Nullable GroupEntry groupByGid(int gid) {
    return GROUPS.stream().filter(group -> group.gid() == gid).findFirst().orElse(null);
  }

  @Override
  public List<Integer> groupsOf(String userName, int primaryGid) {
    return userName.equals(ALICE.name()) ? List.of(1001, 2001) : List.of(primaryGid);
  }
}

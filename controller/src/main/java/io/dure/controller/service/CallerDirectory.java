package io.dure.controller.service;

import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.GroupEntry;
import io.dure.host.user.PasswdEntry;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.reservation.ReservationRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns numbers that the kernel or a token vouches for into callers. Any thread. */
public final class CallerDirectory {
  private final CachedUserDatabase users;
  private final int slurmUid;
  private final String here;

  /**
   * A directory.
   *
   * @param slurmUid the number of SlurmUser, who is an operator as root is
   * @param here short name of the controller's machine
   */
  public CallerDirectory(CachedUserDatabase users, int slurmUid, String here) {
    this.users = users;
    this.slurmUid = slurmUid;
    this.here = here;
  }

  /** The caller on this machine with these numbers; unknown ones keep the number as their name. */
  public Caller.User of(int uid, int gid) {
    return of(uid, gid, here);
  }

  /** The caller with these numbers on the machine of that name, empty where it is not known. */
  public Caller.User of(int uid, int gid, String host) {
    PasswdEntry account = users.userByUid(uid);
    String name = account == null ? Integer.toUnsignedString(uid) : account.name();
    List<String> groups = new ArrayList<>();
    if (account != null) {
      for (int group : users.groupsOf(name, gid)) {
        groups.add(groupName(group));
      }
    } else {
      groups.add(groupName(gid));
    }
    return new Caller.User(
        new UserIdentity(uid, gid, name, groupName(gid)),
        groups,
        uid == 0 || uid == slurmUid,
        host);
  }

  /** The user of that name, on a machine that is not known; null if there is none. */
  public Caller.@Nullable User byName(String user) {
    PasswdEntry account = users.userByName(user);
    return account == null ? null : of(account.uid(), account.gid(), "");
  }

  /** The caller that an operator wants to act as, null if there is no such user. */
  public Caller.@Nullable User byNameOrNumber(String user) {
    PasswdEntry account = users.userByName(user);
    if (account == null) {
      try {
        account = users.userByUid(Integer.parseUnsignedInt(user));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return account == null ? null : of(account.uid(), account.gid());
  }

  /** Name of a user, the number as text where it is unknown. */
  public String userName(int uid) {
    PasswdEntry account = users.userByUid(uid);
    return account == null ? Integer.toUnsignedString(uid) : account.name();
  }

  /** Number of a user, root's if there is none of that name. */
  int uid(String user) {
    PasswdEntry account = users.userByName(user);
    return account == null ? 0 : account.uid();
  }

  /** Number of a group by its name or number, null if there is none. */
  @Nullable Integer gid(String group) {
    GroupEntry entry = users.groupByName(group);
    if (entry == null) {
      try {
        entry = users.groupByGid(Integer.parseUnsignedInt(group));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return entry == null ? null : Integer.valueOf(entry.gid());
  }

  /** Whether a reservation is to be for a user that does not exist. */
  boolean namesUnknownUser(Command.UserCommand command) {
    ReservationRequest request = null;
    if (command instanceof Command.CreateReservation create) {
      request = create.request();
    } else if (command instanceof Command.UpdateReservation update) {
      request = update.change();
    }
    if (request == null || request.users() == null) {
      return false;
    }
    for (String name : request.users().names()) {
      if (users.userByName(name.startsWith("-") ? name.substring(1) : name) == null) {
        return true;
      }
    }
    return false;
  }

  private String groupName(int gid) {
    GroupEntry group = users.groupByGid(gid);
    return group == null ? Integer.toUnsignedString(gid) : group.name();
  }
}

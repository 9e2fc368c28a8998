package io.dure.controller.replica;

import io.dure.controller.replica.raft.GroupMemberId;
import io.dure.controller.replica.raft.PeerMessage;
import io.dure.controller.replica.raft.PeerMessage.Disk;
import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftCore;
import io.dure.controller.replica.raft.RestoredLog;
import io.microraft.MembershipChangeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Membership of the group. A group is begun by one member alone, and only when every host has said
 * that it holds no log: the one that holds a lone controller's log, or else the first by name. All
 * others come in as learners and get their vote when they have caught up. So a blank disk never
 * votes, and what a lost disk promised is never taken for unpromised. The log's thread.
 */
final class GroupBootstrap {
  private static final long FRESH_MILLIS = 3000;
  private static final long COMPLETION_MILLIS = 5000;
  private static final int MOST_LEARNERS = 2;

  private final HostSender wire;
  private final MembershipActions wishes;
  private final AdminNotices notes;
  private final RestoredLog restored;
  private final String host;
  private final Map<String, Seen> seen = new TreeMap<>();
  private final Map<String, Knocker> knockers = new TreeMap<>();
  private long enoughSince; // 0 while they are not
  private boolean changing;
  private @Nullable String trouble;

  /** Sends to a host, to any member there if none is named. */
  interface HostSender {
    /** May lose it. */
    void send(String host, @Nullable GroupMemberId to, PeerMessage message);
  }

  /** What this member's log is to do. */
  interface MembershipActions {
    /** Belong to a group, which was found or made. */
    void found(Membership founders);

    /** Let another member lead, and serve no more. */
    void handOver(GroupMemberId target);
  }

  private record Seen(Disk disk, long at) {}

  private record Knocker(GroupMemberId member, long at) {}

  GroupBootstrap(
      HostSender wire,
      MembershipActions wishes,
      AdminNotices notes,
      RestoredLog restored,
      String host) {
    this.wire = wire;
    this.wishes = wishes;
    this.notes = notes;
    this.restored = restored;
    this.host = host;
  }

  private GroupMemberId self() {
    return restored.self().member();
  }

  /** What keeps this member out of a group, null if nothing does. */
  @Nullable String trouble() {
    return trouble;
  }

  private void trouble(@Nullable String now) {
    if (now != null && !now.equals(trouble)) {
      notes.error(now);
    }
    trouble = now;
  }

  private Disk disk(boolean inGroup) {
    if (inGroup) {
      return Disk.GROUP;
    } else if (restored.self().lost()) {
      return Disk.LOST;
    }
    return restored.alone() ? Disk.ALONE : Disk.BLANK;
  }

  /**
   * Whether so many have a vote that what they keep survives the loss of any minority. For some
   * seconds all are waited for, so that a group that was just begun can lose one at once.
   */
  boolean enough(RaftCore core, List<String> hosts, long now) {
    long voters = core.members().voting().stream().filter(m -> hosts.contains(m.host())).count();
    if (voters <= hosts.size() / 2) {
      enoughSince = 0;
    } else if (enoughSince == 0) {
      enoughSince = now;
    }
    return voters == hosts.size() || (enoughSince > 0 && now - enoughSince > COMPLETION_MILLIS);
  }

  /** Another beat. */
  void tick(@Nullable RaftCore core, List<String> hosts, boolean handingOver, long now) {
    if (core == null) {
      seek(hosts, now);
    } else if (core.isEnded()) {
      trouble("this member was taken out of the group; to join again it needs an empty directory");
    } else if (core.isLeading()) {
      trouble(null);
      if (!handingOver) {
        govern(core, hosts, now);
      }
    } else if (!core.members().members().contains(self())) {
      trouble("waits for the leader to take it in");
      knock(hosts, Disk.GROUP);
    } else {
      trouble(null);
    }
  }

  /** Whether members are just being changed. */
  boolean isChanging() {
    return changing;
  }

  private void knock(List<String> hosts, Disk disk) {
    for (String other : hosts) {
      if (!other.equals(host)) {
        wire.send(other, null, new PeerMessage.JoinProbe(disk));
      }
    }
  }

  private void seek(List<String> hosts, long now) {
    Disk own = disk(false);
    knock(hosts, own);
    List<String> missing = new ArrayList<>();
    boolean first = true;
    boolean blank = true;
    for (String other : hosts) {
      if (other.equals(host)) {
        continue;
      }
      Seen last = seen.get(other);
      if (last == null || now - last.at() > FRESH_MILLIS) {
        missing.add(other);
        continue;
      }
      first &= host.compareTo(other) < 0;
      blank &= last.disk() == Disk.BLANK;
      if (last.disk() == Disk.ALONE && own == Disk.ALONE) {
        trouble(
            "both "
                + host
                + " and "
                + other
                + " hold the journal of a standalone controller: move one of them away");
        return;
      }
    }
    if (own == Disk.LOST) {
      trouble(
          "the log of "
              + host
              + " was damaged and set aside; waiting for a controller that has it");
    } else if (!missing.isEmpty()) {
      trouble(
          "the controller group can be founded once all its hosts are reachable; missing: "
              + missing);
    } else if (blank && (own == Disk.ALONE || first)) {
      List<GroupMemberId> founders = List.of(self());
      notes.info("replication: this controller founds the group of " + hosts);
      wishes.found(new Membership(0, founders, founders));
    } else {
      trouble("waiting for another controller to found the group");
    }
  }

  /** A controller without a group asks for introductions. */
  void knocked(GroupMemberId from, Disk disk, @Nullable RaftCore core, long now) {
    seen.put(from.host(), new Seen(disk, now));
    Membership founders = core == null || core.isEnded() ? null : core.founders();
    wire.send(from.host(), from, new PeerMessage.Answer(disk(core != null), founders));
    // It may replace a member before it knows which group there is.
    knockers.put(from.host(), new Knocker(from, now));
  }

  /** Another controller answered. */
  void answered(
      GroupMemberId from, Disk disk, @Nullable Membership founders, boolean seeking, long now) {
    seen.put(from.host(), new Seen(disk, now));
    if (!seeking || founders == null) {
      return;
    }
    if (restored.alone()) {
      trouble(
          from.host()
              + " has the log of a group, but "
              + host
              + " the journal of a standalone controller: move the latter away to join");
    } else {
      wishes.found(founders);
    }
  }

  private void govern(RaftCore core, List<String> hosts, long now) {
    if (changing || !core.isSteady()) {
      return;
    }
    Membership members = core.members();
    for (GroupMemberId member : members.members()) {
      boolean learning = !members.voting().contains(member);
      if (!hosts.contains(member.host()) && !member.equals(self())) {
        change(core, member, MembershipChangeMode.REMOVE_MEMBER);
        return;
      } else if (learning && core.isCaughtUp(member)) {
        change(core, member, MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER);
        return;
      }
    }
    if (!hosts.contains(host)) {
      leave(core, members);
      return;
    }
    for (Knocker knocker : List.copyOf(knockers.values())) {
      GroupMemberId member = knocker.member();
      if (now - knocker.at() > FRESH_MILLIS || members.members().contains(member)) {
        knockers.remove(member.host());
      } else if (hosts.contains(member.host()) && !member.host().equals(host)) {
        admit(core, members, member);
        return;
      }
    }
  }

  private void admit(RaftCore core, Membership members, GroupMemberId member) {
    for (GroupMemberId old : members.members()) {
      if (old.host().equals(member.host())) {
        notes.info("replication: " + member + " replaces " + old + ", whose disk is lost");
        change(core, old, MembershipChangeMode.REMOVE_MEMBER);
        return;
      }
    }
    if (members.members().size() - members.voting().size() < MOST_LEARNERS) {
      change(core, member, MembershipChangeMode.ADD_LEARNER);
    }
  }

  /** The configuration does not know this leader any more. */
  private void leave(RaftCore core, Membership members) {
    for (GroupMemberId member : members.voting()) {
      if (!member.equals(self()) && core.isCaughtUp(member)) {
        wishes.handOver(member);
        return;
      }
    }
  }

  private void change(RaftCore core, GroupMemberId member, MembershipChangeMode mode) {
    changing = true;
    var _ =
        core.change(member, mode)
            .whenComplete((_, failure) -> {
              changing = false;
              if (failure == null) {
                notes.info(mode + " " + member);
              }
            });
  }
}

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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** Those that run answer in a moment; one that is dead must not hold the others up. */
  private static final long ASKING_MILLIS = 1000;

  private final HostSender wire;
  private final MembershipActions wishes;
  private final AdminNotices notes;
  private final GroupKnowledge known;
  private final String host;
  private final Map<String, Seen> seen = new TreeMap<>();
  private final Map<String, Knocker> knockers = new TreeMap<>();
  private long enoughSince; // 0 while they are not
  private long askingSince; // 0 before
  private final Set<String> answered = new TreeSet<>();
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

    /** Go on in the group that the log is of. */
    void resume(Membership founders);

    /** Take the log for void, since this member had been further once. */
    void forget();

    /** Let another member lead, and serve no more. */
    void handOver(GroupMemberId target);
  }

  /** What this member knows of itself and the others. */
  interface GroupKnowledge {
    /** What its journal held. */
    RestoredLog restored();

    /** The last kept entry that another member is known to have had, 0 if nothing is known. */
    long past(GroupMemberId member);
  }

  private record Seen(Disk disk, long at) {}

  private record Knocker(GroupMemberId member, long at) {}

  GroupBootstrap(
      HostSender wire,
      MembershipActions wishes,
      AdminNotices notes,
      GroupKnowledge known,
      String host) {
    this.wire = wire;
    this.wishes = wishes;
    this.notes = notes;
    this.known = known;
    this.host = host;
  }

  private GroupMemberId self() {
    return known.restored().self().member();
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
    RestoredLog restored = known.restored();
    if (inGroup || restored.founders() != null) {
      return Disk.GROUP;
    } else if (restored.alone()) {
      return Disk.ALONE; // also where something was set aside long ago
    }
    return restored.self().lost() ? Disk.LOST : Disk.BLANK;
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
    Membership founders = known.restored().founders();
    if (core == null && founders != null) {
      ask(founders, hosts, now);
    } else if (core == null) {
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

  /**
   * Asks the others how far this member had been, before it votes or stands for election: its disk
   * may be an older one. Without their answers it goes on after a while.
   */
  private void ask(Membership founders, List<String> hosts, long now) {
    askingSince = askingSince == 0 ? now : askingSince;
    List<String> missing = new ArrayList<>(hosts);
    missing.remove(host);
    missing.removeAll(answered);
    if (missing.isEmpty() || now - askingSince > ASKING_MILLIS) {
      wishes.resume(founders);
    } else {
      knock(missing, Disk.GROUP);
    }
  }

  /** Another one knows how far this member had been. */
  private void recalled(String by, long past) {
    answered.add(by);
    RestoredLog restored = known.restored();
    if (past > restored.last()) {
      notes.error(
          "the log of "
              + host
              + " ends at entry "
              + restored.last()
              + ", but "
              + by
              + " knows that it had entry "
              + past
              + ": StateSaveLocation is an older copy. It has no vote and copies the log from the"
              + " other controllers");
      wishes.forget();
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
    Membership founders = core == null ? known.restored().founders() : core.founders();
    wire.send(
        from.host(),
        from,
        new PeerMessage.Answer(
            disk(core != null),
            core != null && core.isEnded() ? null : founders,
            known.past(from)));
    // It may replace a member before it knows which group there is.
    knockers.put(from.host(), new Knocker(from, now));
  }

  /** Another controller answered. */
  void answered(GroupMemberId from, PeerMessage.Answer answer, boolean seeking, long now) {
    seen.put(from.host(), new Seen(answer.disk(), now));
    Membership founders = answer.founders();
    if (seeking && known.restored().founders() != null) {
      recalled(from.host(), answer.past());
      return;
    }
    if (!seeking || founders == null) {
      return;
    }
    if (known.restored().alone()) {
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

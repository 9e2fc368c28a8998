package io.dure.host.user;

import io.dure.model.config.SiteRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Users and groups of this machine, remembered for a short time, unknown ones too.
 *
 * <p>A directory service may take milliseconds per answer, and a queue listing asks for the same
 * few users again and again. Names come from outside, so the memory is bounded. Any thread may
 * call. Short-lived commands that only need their own number ask {@link CurrentProcess} instead.
 */
public final class CachedUserDatabase implements UserDatabase {
  private static final int MOST_REMEMBERED = 10_000;

  private final UserDatabase database;
  private final InstantSource clock;
  private final Duration keep;

  /** Groups are as they were while this file is as it was; null to look anew at each time. */
  private final @Nullable Path groupFile;

  private final ConcurrentHashMap<Question, Answer> remembered = new ConcurrentHashMap<>();

  /**
   * Remembers the answers of {@code database}.
   *
   * @param keep how long an answer is remembered; zero asks every time
   */
  public CachedUserDatabase(UserDatabase database, InstantSource clock, Duration keep) {
    this(database, clock, keep, null);
  }

  /** The same; groups are asked for again only when that file has changed, null for always. */
  CachedUserDatabase(
      UserDatabase database, InstantSource clock, Duration keep, @Nullable Path groupFile) {
    this.database = database;
    this.clock = clock;
    this.keep = keep;
    this.groupFile = groupFile;
  }

  /** The machine's own users, remembered for a minute. */
  public static CachedUserDatabase ofThisMachine() {
    return new CachedUserDatabase(
        new LibcUserDatabase(), InstantSource.system(), Duration.ofMinutes(1));
  }

  /**
   * The machine's own users, remembered as the site says: for {@code GroupUpdateTime}, and with
   * {@code GroupUpdateForce=0} groups until their file changes.
   */
  public static CachedUserDatabase ofThisMachine(SiteRules rules) {
    Duration keep = rules.groupUpdate();
    return new CachedUserDatabase(
        new LibcUserDatabase(),
        InstantSource.system(),
        keep == null ? Duration.ofMinutes(1) : keep,
        rules.groupsByFile() ? Path.of("/etc/group") : null);
  }

  @Override
  public @Nullable PasswdEntry userByName(String name) {
    return (PasswdEntry) ask(new Question.UserName(name), () -> database.userByName(name));
  }

  @Override
  public @Nullable PasswdEntry userByUid(int uid) {
    return (PasswdEntry) ask(new Question.Uid(uid), () -> database.userByUid(uid));
  }

  @Override
  public @Nullable GroupEntry groupByName(String name) {
    return (GroupEntry) ask(new Question.GroupName(name), () -> database.groupByName(name));
  }

  @Override
  public @Nullable GroupEntry groupByGid(int gid) {
    return (GroupEntry) ask(new Question.Gid(gid), () -> database.groupByGid(gid));
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<Integer> groupsOf(String userName, int primaryGid) {
    Object groups =
        ask(
            new Question.GroupsOf(userName, primaryGid),
            () -> database.groupsOf(userName, primaryGid));
    return groups == null ? List.of(primaryGid) : (List<Integer>) groups;
  }

  /** The user whom this process acts for (effective user), or null if it has no entry. */
  public @Nullable PasswdEntry currentUser() {
    return userByUid(CurrentProcess.effectiveUid());
  }

  /** Forgets everything, for example after {@code scontrol reconfigure}. */
  public void forget() {
    remembered.clear();
  }

  /** How many answers are remembered now. */
  int remembered() {
    return remembered.size();
  }

  private @Nullable Object ask(Question question, Supplier<? extends @Nullable Object> lookUp) {
    Instant now = clock.instant();
    Answer known = remembered.get(question);
    if (known != null && now.isBefore(known.until())) {
      return known.value();
    }
    FileTime written = question.isOfGroups() ? written() : null;
    if (known != null && written != null && written.equals(known.written())) {
      remembered.put(question, new Answer(known.value(), now.plus(keep), written));
      return known.value();
    }
    Object value = lookUp.get();
    if (remembered.size() >= MOST_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(question, new Answer(value, now.plus(keep), written));
    return value;
  }

  /** When the file of groups was last changed; null where nothing is made of that. */
  private @Nullable FileTime written() {
    try {
      return groupFile == null ? null : Files.getLastModifiedTime(groupFile);
    } catch (IOException e) {
      return null;
    }
  }

  private sealed interface Question {
    default boolean isOfGroups() {
      return !(this instanceof UserName || this instanceof Uid);
    }

    record UserName(String name) implements Question {}

    record Uid(int uid) implements Question {}

    record GroupName(String name) implements Question {}

    record Gid(int gid) implements Question {}

    record GroupsOf(String name, int primaryGid) implements Question {}
  }

  private record Answer(@Nullable Object value, Instant until, @Nullable FileTime written) {}
}

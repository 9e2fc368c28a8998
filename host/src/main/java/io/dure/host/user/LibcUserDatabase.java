package io.dure.host.user;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machine's users and groups as its C library sees them: local files, LDAP, SSSD or whatever
 * {@code nsswitch.conf} names, which is why {@code /etc/passwd} is not read here.
 *
 * <p>Layouts are those of Linux on 64-bit machines. Any thread may call; a call blocks as long as
 * the directory service takes. The manual pages are getpwnam(3), getgrnam(3), getgrouplist(3).
 */
public final class LibcUserDatabase implements UserDatabase {
  private static final int FIRST_BUFFER = 1 << 12;
  private static final int LARGEST_BUFFER = 1 << 24;
  private static final int MOST_GROUPS = 1 << 16;
  private static final int MOST_TRIES = 16;

  private static final int ENOENT = 2;
  private static final int ESRCH = 3;
  private static final int EINTR = 4;
  private static final int ERANGE = 34;

  private static final StructLayout PASSWD =
      MemoryLayout.structLayout(
          ADDRESS.withName("name"),
          ADDRESS.withName("password"),
          JAVA_INT.withName("uid"),
          JAVA_INT.withName("gid"),
          ADDRESS.withName("gecos"),
          ADDRESS.withName("home"),
          ADDRESS.withName("shell"));
  private static final StructLayout GROUP =
      MemoryLayout.structLayout(
          ADDRESS.withName("name"),
          ADDRESS.withName("password"),
          JAVA_INT.withName("gid"),
          MemoryLayout.paddingLayout(4),
          ADDRESS.withName("members"));

  private static final MethodHandle GETPWNAM = byName("getpwnam_r");
  private static final MethodHandle GETGRNAM = byName("getgrnam_r");
  private static final MethodHandle GETPWUID = byNumber("getpwuid_r");
  private static final MethodHandle GETGRGID = byNumber("getgrgid_r");
  private static final MethodHandle GETGROUPLIST =
      CLibrary.function(
          "getgrouplist", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));

  @Override
  public @Nullable PasswdEntry userByName(String name) {
    return isName(name) ? found(PASSWD, LibcUserDatabase::account, named(GETPWNAM, name)) : null;
  }

  @Override
  public @Nullable PasswdEntry userByUid(int uid) {
    return found(PASSWD, LibcUserDatabase::account, numbered(GETPWUID, uid));
  }

  @Override
  public @Nullable GroupEntry groupByName(String name) {
    return isName(name) ? found(GROUP, LibcUserDatabase::group, named(GETGRNAM, name)) : null;
  }

  @Override
  public @Nullable GroupEntry groupByGid(int gid) {
    return found(GROUP, LibcUserDatabase::group, numbered(GETGRGID, gid));
  }

  @Override
  public List<Integer> groupsOf(String userName, int primaryGid) {
    if (!isName(userName)) {
      return List.of(primaryGid);
    }
    for (int room = 64; room <= MOST_GROUPS; room *= 4) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment groups = arena.allocate(JAVA_INT, room);
        MemorySegment count = arena.allocateFrom(JAVA_INT, room);
        int found =
            (int) GETGROUPLIST.invokeExact(arena.allocateFrom(userName), primaryGid, groups, count);
        if (found >= 0) {
          return numbers(groups, found);
        }
      } catch (Throwable e) {
        throw CLibrary.unexpected("getgrouplist", e);
      }
    }
    throw new UserDatabaseException(
        "getgrouplist: " + userName + " is in more than " + MOST_GROUPS + " groups");
  }

  /** One of the four calls, which differ in their key only. */
  private interface Call {
    int invoke(
        Arena arena, MemorySegment struct, MemorySegment buffer, long size, MemorySegment result)
        throws Throwable;
  }

  private static Call named(MethodHandle function, String name) {
    return (arena, struct, buffer, size, result) ->
        (int) function.invokeExact(arena.allocateFrom(name), struct, buffer, size, result);
  }

  private static Call numbered(MethodHandle function, int number) {
    return (_, struct, buffer, size, result) ->
        (int) function.invokeExact(number, struct, buffer, size, result);
  }

  /** The entry that a call finds, null if there is none. */
  private static <T> @Nullable T found(
      StructLayout layout, Function<MemorySegment, T> entry, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = find(arena, layout, call);
      return found == null ? null : entry.apply(found);
    }
  }

  private static @Nullable MemorySegment find(Arena arena, StructLayout layout, Call call) {
    MemorySegment struct = arena.allocate(layout);
    MemorySegment result = arena.allocate(ADDRESS);
    int size = FIRST_BUFFER;
    int error = 0;
    for (int tries = 0; tries < MOST_TRIES && size <= LARGEST_BUFFER; tries++) {
      try {
        error = call.invoke(arena, struct, arena.allocate(size), size, result);
      } catch (Throwable e) {
        throw CLibrary.unexpected("user database", e);
      }
      switch (error) {
        case 0 -> {
          return result.get(ADDRESS, 0).equals(MemorySegment.NULL) ? null : struct;
        }
        // What some C libraries and name services answer for "no such entry".
        case ENOENT, ESRCH -> {
          return null;
        }
        case ERANGE -> size *= 4;
        case EINTR -> {}
        default -> tries = MOST_TRIES;
      }
    }
    throw new UserDatabaseException("cannot read the user database: errno " + error);
  }

  private static PasswdEntry account(MemorySegment entry) {
    return new PasswdEntry(
        text(entry, PASSWD, "name"),
        number(entry, PASSWD, "uid"),
        number(entry, PASSWD, "gid"),
        text(entry, PASSWD, "home"),
        text(entry, PASSWD, "shell"),
        text(entry, PASSWD, "gecos").replaceAll(",.*", ""));
  }

  private static GroupEntry group(MemorySegment entry) {
    List<String> members = new ArrayList<>();
    MemorySegment list = pointer(entry, GROUP, "members").reinterpret(Long.MAX_VALUE);
    if (list.address() != 0) {
      for (long at = 0; list.get(JAVA_LONG, at) != 0; at += ADDRESS.byteSize()) {
        members.add(string(list.get(ADDRESS, at)));
      }
    }
    return new GroupEntry(text(entry, GROUP, "name"), number(entry, GROUP, "gid"), members);
  }

  private static List<Integer> numbers(MemorySegment segment, int count) {
    List<Integer> numbers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      numbers.add(segment.getAtIndex(JAVA_INT, i));
    }
    return List.copyOf(numbers);
  }

  private static int number(MemorySegment entry, StructLayout layout, String field) {
    return entry.get(JAVA_INT, offset(layout, field));
  }

  private static MemorySegment pointer(MemorySegment entry, StructLayout layout, String field) {
    return entry.get(ADDRESS, offset(layout, field));
  }

  private static String text(MemorySegment entry, StructLayout layout, String field) {
    return string(pointer(entry, layout, field));
  }

  private static String string(MemorySegment address) {
    return address.address() == 0 ? "" : address.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private static long offset(StructLayout layout, String field) {
    return layout.byteOffset(MemoryLayout.PathElement.groupElement(field));
  }

  /** A name that C can see whole: one with a zero byte would be looked up as its beginning. */
  private static boolean isName(String name) {
    return !name.isEmpty() && name.indexOf('\0') < 0 && name.length() <= 1024;
  }

  private static MethodHandle byName(String function) {
    return CLibrary.function(
        function, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
  }

  private static MethodHandle byNumber(String function) {
    return CLibrary.function(
        function, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
  }
}

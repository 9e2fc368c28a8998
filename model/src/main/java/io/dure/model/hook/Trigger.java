package io.dure.model.hook;

import io.dure.model.HostList;
import io.dure.model.UserIdentity;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A program that is to run when something happens.
 *
 * @param id its number
 * @param owner the user that set it
 * @param wish what was asked for
 * @param sprung what it has to tell, empty while nothing has happened: nodes as a host list, a
 *     job's number, or a star
 * @param due when the program is to run, null while nothing has happened
 * @param fired when it last ran, null for never
 */
@RecordBuilder
public record Trigger(
    int id,
    UserIdentity owner,
    Wish wish,
    String sprung,
    @Nullable Instant due,
    @Nullable Instant fired)
    implements TriggerBuilder.With {

  /**
   * What is asked for.
   *
   * @param jobId the job that it is about, null for none
   * @param nodes the nodes that it is about, as a host list; a star for all
   * @param kinds what it waits for, any of these
   * @param offsetSeconds how long after that the program runs; before it where that is negative
   * @param program path and arguments, parted by blanks
   * @param permanent whether it stays when it has run
   */
  public record Wish(
      @Nullable Integer jobId,
      String nodes,
      List<TriggerKind> kinds,
      int offsetSeconds,
      String program,
      boolean permanent) {
    public Wish {
      kinds = List.copyOf(kinds);
    }
  }

  /** Whether the user of that name or number has set it. */
  public boolean isOf(String user) {
    return user.equals(owner.userName()) || user.equals(Integer.toUnsignedString(owner.uid()));
  }

  /** Whether it waits for that. */
  public boolean waitsFor(TriggerKind kind) {
    return wish.kinds().contains(kind);
  }

  /** The same with more to tell; what it had to tell before is not delayed. */
  public Trigger sprung(String resources, Instant at) {
    Instant first = due == null || at.isBefore(due) ? at : due;
    if (sprung.isEmpty() || wish.jobId() != null || sprung.equals("*")) {
      return with().sprung(resources).due(first).build();
    }
    SortedSet<String> all = new TreeSet<>(HostList.expand(sprung));
    all.addAll(HostList.expand(resources));
    return with().sprung(HostList.compress(List.copyOf(all))).due(first).build();
  }

  /** The same once the program was begun. */
  public Trigger fired(Instant at) {
    return with().sprung("").due(null).fired(at).build();
  }
}

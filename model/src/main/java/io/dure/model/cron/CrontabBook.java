package io.dure.model.cron;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The crontabs of all users.
 *
 * @param all those that there are, one for a user
 */
public record CrontabBook(List<Crontab> all) {
  /** That of a cluster without any. */
  public static final CrontabBook EMPTY = new CrontabBook(List.of());

  public CrontabBook {
    all = List.copyOf(all);
  }

  /** The crontab of a user, null if there is none. */
  public @Nullable Crontab of(int uid) {
    for (Crontab crontab : all) {
      if (crontab.owner().uid() == uid) {
        return crontab;
      }
    }
    return null;
  }

  /** The same with a crontab in place of its owner's; one without text is none. */
  public CrontabBook with(Crontab crontab) {
    List<Crontab> next = new ArrayList<>();
    for (Crontab one : all) {
      if (one.owner().uid() != crontab.owner().uid()) {
        next.add(one);
      }
    }
    if (!crontab.text().isEmpty()) {
      next.add(crontab);
    }
    return new CrontabBook(next);
  }
}

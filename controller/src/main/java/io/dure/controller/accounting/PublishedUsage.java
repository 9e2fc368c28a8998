package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.model.accounting.usage.UsageDecay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What other clusters were told of the use on this one, to tell them only what they cannot work out
 * from that. For one thread.
 */
final class PublishedUsage {
  private Map<Key, ClusterUsage.OfUser> told = new HashMap<>();
  private boolean isAll;

  /** Whose use it is. */
  private record Key(String account, String user, @Nullable String partition) {}

  /**
   * What is to be told.
   *
   * @param whole whether that is all there is
   */
  record News(boolean whole, List<ClusterUsage.OfUser> users) {}

  /** What differs from what was told, or all if nothing was. */
  News news(ClusterState state, Instant now) {
    UsageDecay decay = UsageDecay.of(state.settings().priority().halfLife());
    AccountingTree tree = state.accounts();
    Map<Key, ClusterUsage.OfUser> gone = new HashMap<>(told);
    List<ClusterUsage.OfUser> users = new ArrayList<>();
    for (int id : state.usage().associations().keys()) {
      Association one = tree.associations().get(id);
      String user = one == null ? null : one.user();
      if (one == null || user == null) {
        continue;
      }
      Key key = new Key(one.account(), user, one.partition());
      gone.remove(key);
      ClusterUsage.OfUser before = told.get(key);
      DecayedUsage usage = state.usage().own(one, now, decay);
      boolean isNews = before == null ? !usage.isNothing() : !usage.follows(before.usage(), decay);
      if (isNews) {
        users.add(new ClusterUsage.OfUser(one.account(), user, one.partition(), usage));
      }
    }
    for (Key key : gone.keySet()) {
      users.add(
          new ClusterUsage.OfUser(
              key.account(), key.user(), key.partition(), DecayedUsage.none(now)));
    }
    return new News(!isAll, users);
  }

  /** Those know it now. */
  void told(News news) {
    for (ClusterUsage.OfUser one : news.users()) {
      Key key = new Key(one.account(), one.user(), one.partition());
      if (one.usage().isNothing()) {
        told.remove(key);
      } else {
        told.put(key, one);
      }
    }
    isAll = true;
  }

  /** Those know nothing any more. */
  void forget() {
    told = new HashMap<>();
    isAll = false;
  }
}

package io.dure.surface.sacctmgr.column;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one line of a listing of accounts, users or associations is about.
 *
 * @param account the account, null in lines about users alone
 * @param user the user, null in lines about accounts alone
 * @param association the place in the tree with what is handed down to it, null without one
 * @param depth how deep it stands, from 0
 * @param coordinated accounts that the user coordinates
 * @param cluster the cluster's name
 * @param place where the association stands among all, null without one
 */
public record AccountingTreeRow(
    @Nullable Account account,
    @Nullable AccountUser user,
    @Nullable Association association,
    int depth,
    String coordinated,
    String cluster,
    AccountingTreeRow.@Nullable Place place) {

  /** A line without a place in the tree. */
  public AccountingTreeRow(
      @Nullable Account account,
      @Nullable AccountUser user,
      @Nullable Association association,
      String coordinated) {
    this(account, user, association, 0, coordinated, "", null);
  }

  /**
   * Where an association stands: all below it have numbers between its own.
   *
   * @param left counted from 1 where the walk comes to it
   * @param right counted where the walk leaves it
   * @param parent number of the association above, 0 for the root
   */
  public record Place(int left, int right, int parent) {

    /**
     * The places of all associations, by their numbers.
     *
     * @param walk all of them, each behind the one above it and before those beside it
     */
    public static Map<Integer, Place> all(AccountingTree tree, List<Association> walk) {
      Map<Integer, Place> all = new TreeMap<>();
      Deque<Place> open = new ArrayDeque<>();
      Deque<Integer> ids = new ArrayDeque<>();
      int count = 0;
      for (Association one : walk) {
        count = left(all, open, ids, tree.path(one).size() - 1, count);
        count++;
        open.push(new Place(count, 0, ids.isEmpty() ? 0 : ids.peek()));
        ids.push(one.id());
      }
      var _ = left(all, open, ids, 0, count);
      return all;
    }

    /** Leaves those that are deeper. */
    private static int left(
        Map<Integer, Place> all, Deque<Place> open, Deque<Integer> ids, int depth, int before) {
      int count = before;
      while (open.size() > depth) {
        count++;
        Place one = open.pop();
        all.put(ids.pop(), new Place(one.left, count, one.parent));
      }
      return count;
    }
  }

  public AccountingLimits limits() {
    return association == null ? AccountingLimits.NONE : association.limits();
  }
}

package io.dure.cli.fairshare;

import io.dure.model.accounting.Association;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The shares that a caller sees, as a tree. Immutable. */
final class ShareTree {
  /** Those that come first: most of its share left. */
  private static final Comparator<Response.Share> FIRST =
      Comparator.comparingDouble(Response.Share::level).reversed();

  private final List<Response.Share> rows;
  private final boolean ranks;
  private final Map<String, Response.Share> accounts = new TreeMap<>();

  /** Of an answer. */
  ShareTree(Response.Shares shares) {
    rows = shares.rows();
    ranks = shares.fairTree();
    for (Response.Share row : rows) {
      if (row.association().user() == null) {
        accounts.put(row.association().account(), row);
      }
    }
  }

  /** An account, null where there is none that is seen. */
  Response.@Nullable Share account(String name) {
    return accounts.get(name);
  }

  /** The places of a user, or in an account alone; null for all. */
  List<Response.Share> user(String name, @Nullable String account) {
    List<Response.Share> found = new ArrayList<>();
    for (Response.Share row : rows) {
      Association of = row.association();
      if (name.equals(of.user()) && (account == null || account.equals(of.account()))) {
        found.add(row);
      }
    }
    return found;
  }

  private Response.@Nullable Share above(Response.Share row) {
    Association of = row.association();
    String parent = of.user() == null ? of.parent() : of.account();
    return parent == null ? null : accounts.get(parent);
  }

  /** Whether what is below an account stands beside it, as it has no share of its own. */
  private boolean isPassed(Response.Share row) {
    Association of = row.association();
    return ranks && of.user() == null && of.shares() == null && of.parent() != null;
  }

  /** The account among whose shares a place is compared, null for the root. */
  Response.@Nullable Share level(Response.Share row) {
    Response.Share at = above(row);
    while (at != null && isPassed(at)) {
      at = above(at);
    }
    return at;
  }

  /** A place, and the accounts above in which it is compared, the highest first. */
  List<Response.Share> path(Response.Share row) {
    List<Response.Share> path = new ArrayList<>();
    for (Response.Share at = row; at != null && level(at) != null; at = level(at)) {
      path.add(at);
    }
    Collections.reverse(path);
    return path;
  }

  /** With what it is compared, itself included, the first of them first. */
  List<Response.Share> siblings(Response.Share row) {
    Response.Share level = level(row);
    List<Response.Share> found = new ArrayList<>();
    for (Response.Share one : rows) {
      Response.Share its = level(one);
      boolean same =
          its != null
              && level != null
              && its.association().id() == level.association().id()
              && !isPassed(one);
      if (same) {
        found.add(one);
      }
    }
    found.sort(FIRST);
    return found;
  }

  /** The names of an account and all below it. */
  List<String> within(String account) {
    List<String> names = new ArrayList<>(List.of(account));
    // The rows are those of a walk from the root down, so accounts come before those below.
    for (Response.Share row : rows) {
      Association of = row.association();
      if (of.user() == null && of.parent() != null && names.contains(of.parent())) {
        names.add(of.account());
      }
    }
    return names;
  }
}

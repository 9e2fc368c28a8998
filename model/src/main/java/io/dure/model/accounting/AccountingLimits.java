package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits that are set, in the order of {@link LimitKind} and of the resources; what is not here
 * is without bound.
 */
public record AccountingLimits(List<AccountingLimits.Bound> bounds) {
  /** No limit. */
  public static final AccountingLimits NONE = new AccountingLimits(List.of());

  private static final Comparator<Bound> ORDER =
      Comparator.comparing(Bound::limit)
          .thenComparing(b -> b.tres() == null ? "" : b.tres(), TresAmounts.order());

  /**
   * One bound.
   *
   * @param limit what is bounded
   * @param tres the resource, null where the limit is not of resources
   * @param most the bound
   */
  public record Bound(LimitKind limit, @Nullable String tres, long most) {
    /** Whether the same is bounded by some limits. */
    public boolean isAmong(List<AccountingLimits> others) {
      for (AccountingLimits one : others) {
        if (one.isSet(limit, tres)) {
          return true;
        }
      }
      return false;
    }
  }

  public AccountingLimits {
    bounds = List.copyOf(bounds);
  }

  /** The bound of a limit that is not of resources, null for none. */
  public @Nullable Long of(LimitKind limit) {
    for (Bound bound : bounds) {
      if (bound.limit() == limit) {
        return bound.most();
      }
    }
    return null;
  }

  /** The bounds of a limit of resources. */
  public TresAmounts tres(LimitKind limit) {
    List<TresAmounts.Amount> amounts = new ArrayList<>();
    for (Bound bound : bounds) {
      if (bound.limit() == limit && bound.tres() != null) {
        amounts.add(new TresAmounts.Amount(bound.tres(), bound.most()));
      }
    }
    return new TresAmounts(amounts);
  }

  /** The same with one bound more, or another; null takes it away. */
  public AccountingLimits with(LimitKind limit, @Nullable String tres, @Nullable Long most) {
    List<Bound> next = new ArrayList<>();
    for (Bound bound : bounds) {
      if (bound.limit() != limit || !Objects.equals(bound.tres(), tres)) {
        next.add(bound);
      }
    }
    if (most != null) {
      next.add(new Bound(limit, tres, most));
    }
    next.sort(ORDER);
    return new AccountingLimits(next);
  }

  /** These, and what the parent hands down where these say nothing. */
  public AccountingLimits inheritingFrom(AccountingLimits parent) {
    List<Bound> next = new ArrayList<>(bounds);
    for (Bound above : parent.bounds) {
      if (!above.limit().isGroup() && !isSet(above.limit(), above.tres())) {
        next.add(above);
      }
    }
    if (next.size() == bounds.size()) {
      return this;
    }
    next.sort(ORDER);
    return new AccountingLimits(next);
  }

  private boolean isSet(LimitKind limit, @Nullable String tres) {
    for (Bound bound : bounds) {
      if (bound.limit() == limit && Objects.equals(bound.tres(), tres)) {
        return true;
      }
    }
    return false;
  }
}

package io.dure.model.report;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A limit that keeps a job waiting, with its numbers. Of whose use it counts that of an account or
 * of one of its users, or that of a QOS, there perhaps of one user or account alone.
 *
 * @param reason Slurm's word for it
 * @param limit the limit, null for the least fair share that a QOS demands
 * @param tres the resource, null where it is not of resources
 * @param most what is allowed
 * @param used what is used of it; 0 for a limit of each job by itself
 * @param wanted what the job would use
 * @param association the number of the association that has it, null for one of a QOS
 * @param account that association's account, null for one of a QOS
 * @param qos the QOS that has it, null for one of an association
 * @param user the only user whose use counts, null for all; empty for one that is not named
 * @param sharingAccount the only account whose use of a QOS counts, null for all
 */
@RecordBuilder
public record LimitBreach(
    String reason,
    @Nullable LimitKind limit,
    @Nullable String tres,
    double most,
    double used,
    double wanted,
    @Nullable Integer association,
    @Nullable String account,
    @Nullable String qos,
    @Nullable String user,
    @Nullable String sharingAccount)
    implements LimitBreachBuilder.With {

  public static LimitBreach of(String reason, AccountingLimits.Bound bound, double most) {
    return new LimitBreach(
        reason, bound.limit(), bound.tres(), most, 0, 0, null, null, null, null, null);
  }

  public static LimitBreach ofThreshold(Qos one) {
    Double least = one.usageThreshold();
    return new LimitBreach(
        "QOSUsageThreshold",
        null,
        null,
        least == null ? 0 : least,
        0,
        0,
        null,
        null,
        one.name(),
        null,
        null);
  }

  /** The same for a user that is not named. */
  public LimitBreach withoutName() {
    String unnamed = user == null ? null : "";
    return withUser(unnamed);
  }

  /** Which it is, and whose; no numbers. */
  public LimitBreach withoutNumbers() {
    return with().most(0).used(0).wanted(0).build();
  }

  public LimitBreach with(double nextUsed, double nextWanted) {
    return with().used(nextUsed).wanted(nextWanted).build();
  }

  public LimitBreach of(Association one) {
    return with()
        .association(one.id())
        .account(one.account())
        .qos(null)
        .user(one.user())
        .sharingAccount(null)
        .build();
  }

  /** The same of a QOS, of whose use that of one user or of one account alone counts. */
  public LimitBreach of(Qos one, @Nullable String user, @Nullable String account) {
    return with()
        .association(null)
        .account(null)
        .qos(one.name())
        .user(user)
        .sharingAccount(account)
        .build();
  }
}

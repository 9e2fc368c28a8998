package io.dure.core.scheduler.limits;

import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.Qos;
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
 * @param user the only user whose use counts, null for all; empty for one who is not named
 * @param sharingAccount the only account whose use of a QOS counts, null for all
 */
@RecordBuilder
public record Breach(
    String reason,
    @Nullable Limit limit,
    @Nullable String tres,
    double most,
    double used,
    double wanted,
    @Nullable Integer association,
    @Nullable String account,
    @Nullable String qos,
    @Nullable String user,
    @Nullable String sharingAccount)
    implements BreachBuilder.With {

  static Breach of(String reason, Limits.Bound bound, double most) {
    return new Breach(
        reason, bound.limit(), bound.tres(), most, 0, 0, null, null, null, null, null);
  }

  static Breach ofThreshold(Qos one) {
    Double least = one.usageThreshold();
    return new Breach(
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

  /** The same of somebody who is not named. */
  public Breach withoutName() {
    String nobody = user == null ? null : "";
    return withUser(nobody);
  }

  /** Which it is, and whose; no numbers. */
  public Breach withoutNumbers() {
    return with().most(0).used(0).wanted(0).build();
  }

  Breach with(double nextUsed, double nextWanted) {
    return with().used(nextUsed).wanted(nextWanted).build();
  }

  Breach of(Association one) {
    return with()
        .association(one.id())
        .account(one.account())
        .qos(null)
        .user(one.user())
        .sharingAccount(null)
        .build();
  }

  Breach of(Qos one, Demand job) {
    boolean ofUser =
        limit == Limit.MAX_JOBS_PER_USER
            || limit == Limit.MAX_TRES_PER_USER
            || limit == Limit.MAX_TRES_RUN_MINS_PER_USER;
    boolean ofAccount =
        limit == Limit.MAX_JOBS_PER_ACCOUNT
            || limit == Limit.MAX_TRES_PER_ACCOUNT
            || limit == Limit.MAX_TRES_RUN_MINS_PER_ACCOUNT;
    return with()
        .association(null)
        .account(null)
        .qos(one.name())
        .user(ofUser ? job.user() : null)
        .sharingAccount(ofAccount ? job.account() : null)
        .build();
  }
}

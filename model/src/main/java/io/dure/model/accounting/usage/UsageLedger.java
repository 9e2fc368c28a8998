package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.collection.IntMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has been used, by associations and QOS. Written when a job starts and when it ends; in
 * between the use follows from the time, so nothing is written while jobs run.
 *
 * @param associations by their numbers; accounts hold what is used below them
 * @param qos by their numbers
 * @param charges of running jobs, by their ids
 * @param resetSince since when usage is counted towards the next reset, null if none is due
 * @param elsewhere what was used on other clusters; null is nothing
 */
public record UsageLedger(
    IntMap<DecayedUsage> associations,
    IntMap<DecayedUsage> qos,
    IntMap<JobCharge> charges,
    @Nullable Instant resetSince,
    @Nullable UsageElsewhere elsewhere) {
  /** Nothing used. */
  public static final UsageLedger EMPTY =
      new UsageLedger(IntMap.empty(), IntMap.empty(), IntMap.empty(), null, null);

  /** What an association has used by then, here and elsewhere; what it holds is held here. */
  public DecayedUsage of(Association association, Instant now, UsageDecay decay) {
    DecayedUsage own = own(association, now, decay);
    DecayedUsage other = elsewhere == null ? null : elsewhere.associations().get(association.id());
    return other == null ? own : own.plus(other.at(now, decay));
  }

  /** What an association has used here by then. */
  public DecayedUsage own(Association association, Instant now, UsageDecay decay) {
    DecayedUsage usage = associations.get(association.id());
    return usage == null ? DecayedUsage.none(now) : usage.at(now, decay);
  }

  /** What the jobs of a QOS have used by then. */
  public DecayedUsage of(Qos one, Instant now, UsageDecay decay) {
    DecayedUsage usage = qos.get(one.id());
    return usage == null ? DecayedUsage.none(now) : usage.at(now, decay(one, decay));
  }

  private static UsageDecay decay(Qos one, UsageDecay decay) {
    return one.has(QosFlag.NO_DECAY) ? UsageDecay.NONE : decay;
  }

  /** A job starts. */
  public UsageLedger started(
      AccountingTree tree, int jobId, JobCharge charge, Instant at, UsageDecay decay) {
    return changed(tree, charge, at, decay, 1).with(charges.with(jobId, charge));
  }

  /** A job ends; nothing if it is not known. */
  public UsageLedger ended(AccountingTree tree, int jobId, Instant at, UsageDecay decay) {
    JobCharge charge = charges.get(jobId);
    return charge == null
        ? this
        : changed(tree, charge, at, decay, -1).with(charges.without(jobId));
  }

  private UsageLedger with(IntMap<JobCharge> next) {
    return new UsageLedger(associations, qos, next, resetSince, elsewhere);
  }

  private UsageLedger changed(
      AccountingTree tree, JobCharge charge, Instant at, UsageDecay decay, int sign) {
    IntMap<DecayedUsage> next = associations;
    Association own =
        charge.association() == null ? null : tree.associations().get(charge.association());
    for (Association above = own; above != null; above = tree.parent(above)) {
      DecayedUsage usage = own(above, at, decay);
      next = next.with(above.id(), sign > 0 ? usage.plus(charge) : usage.minus(charge));
    }
    IntMap<DecayedUsage> nextQos = qos;
    for (Qos one : qos(tree, charge)) {
      DecayedUsage usage = of(one, at, decay);
      nextQos = nextQos.with(one.id(), sign > 0 ? usage.plus(charge) : usage.minus(charge));
    }
    return new UsageLedger(next, nextQos, charges, resetSince, elsewhere);
  }

  /** The QOS that a charge counts for. */
  public static List<Qos> qos(AccountingTree tree, JobCharge charge) {
    List<Qos> found = new ArrayList<>();
    Qos own = charge.qos() == null ? null : tree.qosOf(charge.qos());
    if (own != null) {
      found.add(own);
    }
    Qos second = charge.partitionQos() == null ? null : tree.qosOf(charge.partitionQos());
    if (second != null) {
      found.add(second);
    }
    return found;
  }

  /** All of it brought to that time, before the decay becomes another one. */
  public UsageLedger accruedTo(AccountingTree tree, Instant at, UsageDecay decay) {
    IntMap<DecayedUsage> next = IntMap.empty();
    for (int id : associations.keys()) {
      next = next.with(id, associations.require(id).at(at, decay));
    }
    IntMap<DecayedUsage> nextQos = IntMap.empty();
    for (int id : qos.keys()) {
      Qos one = tree.qosOf(id);
      UsageDecay own = one == null ? decay : decay(one, decay);
      nextQos = nextQos.with(id, qos.require(id).at(at, own));
    }
    return new UsageLedger(next, nextQos, charges, resetSince, elsewhere(tree, at, decay));
  }

  /** All usage is forgotten; what runs is counted from now on. */
  public UsageLedger reset(Instant at) {
    return new UsageLedger(cleared(associations, at), cleared(qos, at), charges, at, elsewhere);
  }

  private static IntMap<DecayedUsage> cleared(IntMap<DecayedUsage> all, Instant at) {
    IntMap<DecayedUsage> next = IntMap.empty();
    for (int id : all.keys()) {
      next = next.with(id, all.require(id).cleared(at));
    }
    return next;
  }

  /** The same, counting towards a reset since then, unless it does already. */
  public UsageLedger counting(Instant since) {
    return resetSince == null
        ? new UsageLedger(associations, qos, charges, since, elsewhere)
        : this;
  }

  /**
   * The book of the next tree: what is gone from the tree is gone from the book, and accounts hold
   * what the users below them have used.
   */
  public UsageLedger forTree(AccountingTree next, Instant at, UsageDecay decay) {
    IntMap<DecayedUsage> kept = IntMap.empty();
    for (int id : associations.keys()) {
      Association association = next.associations().get(id);
      if (association == null || association.user() == null) {
        continue;
      }
      DecayedUsage usage = associations.require(id).at(at, decay);
      for (Association above = association; above != null; above = next.parent(above)) {
        DecayedUsage sum = kept.get(above.id());
        kept = kept.with(above.id(), sum == null ? usage : sum.plus(usage));
      }
    }
    IntMap<DecayedUsage> keptQos = IntMap.empty();
    for (int id : qos.keys()) {
      if (next.qosOf(id) != null) {
        keptQos = keptQos.with(id, qos.require(id));
      }
    }
    return new UsageLedger(kept, keptQos, charges, resetSince, elsewhere(next, at, decay));
  }

  private @Nullable UsageElsewhere elsewhere(AccountingTree tree, Instant at, UsageDecay decay) {
    return elsewhere == null ? null : elsewhere.forTree(tree, at, decay);
  }

  /** With what other clusters say of their use now. */
  public UsageLedger withElsewhere(
      UsageElsewhere.News news, AccountingTree tree, Instant at, UsageDecay decay) {
    UsageElsewhere before = elsewhere == null ? UsageElsewhere.NONE : elsewhere;
    UsageElsewhere next = before.with(news, tree, at, decay);
    return new UsageLedger(
        associations, qos, charges, resetSince, next.clusters().isEmpty() ? null : next);
  }

  /** With what an association and all below it have used forgotten. */
  public UsageLedger cleared(AccountingTree tree, Association from, Instant at, UsageDecay decay) {
    IntMap<DecayedUsage> next = associations;
    for (Association below : from.user() == null ? tree.walk(from.account()) : List.of(from)) {
      DecayedUsage usage = next.get(below.id());
      if (usage != null) {
        next = next.with(below.id(), usage.cleared(at));
      }
    }
    return new UsageLedger(next, qos, charges, resetSince, elsewhere).forTree(tree, at, decay);
  }

  /** With what the jobs of a QOS have used forgotten. */
  public UsageLedger cleared(Qos one, Instant at) {
    DecayedUsage usage = qos.get(one.id());
    return usage == null
        ? this
        : new UsageLedger(
            associations, qos.with(one.id(), usage.cleared(at)), charges, resetSince, elsewhere);
  }
}

package io.dure.core.accounting.usage;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.QosFlag;
import io.dure.core.collection.IntMap;
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
 */
public record UsageBook(
    IntMap<Usage> associations,
    IntMap<Usage> qos,
    IntMap<Charge> charges,
    @Nullable Instant resetSince) {
  /** Nothing used. */
  public static final UsageBook EMPTY =
      new UsageBook(IntMap.empty(), IntMap.empty(), IntMap.empty(), null);

  /** What an association has used by then. */
  public Usage of(Association association, Instant now, Decay decay) {
    Usage usage = associations.get(association.id());
    return usage == null ? Usage.none(now) : usage.at(now, decay);
  }

  /** What the jobs of a QOS have used by then. */
  public Usage of(Qos one, Instant now, Decay decay) {
    Usage usage = qos.get(one.id());
    return usage == null ? Usage.none(now) : usage.at(now, decay(one, decay));
  }

  private static Decay decay(Qos one, Decay decay) {
    return one.has(QosFlag.NO_DECAY) ? Decay.NONE : decay;
  }

  /** A job starts. */
  public UsageBook started(AccountingTree tree, int jobId, Charge charge, Instant at, Decay decay) {
    return changed(tree, charge, at, decay, 1).with(charges.with(jobId, charge));
  }

  /** A job ends; nothing if it is not known. */
  public UsageBook ended(AccountingTree tree, int jobId, Instant at, Decay decay) {
    Charge charge = charges.get(jobId);
    return charge == null
        ? this
        : changed(tree, charge, at, decay, -1).with(charges.without(jobId));
  }

  private UsageBook with(IntMap<Charge> next) {
    return new UsageBook(associations, qos, next, resetSince);
  }

  private UsageBook changed(AccountingTree tree, Charge charge, Instant at, Decay decay, int sign) {
    IntMap<Usage> next = associations;
    Association own =
        charge.association() == null ? null : tree.associations().get(charge.association());
    for (Association above = own; above != null; above = tree.parent(above)) {
      Usage usage = of(above, at, decay);
      next = next.with(above.id(), sign > 0 ? usage.plus(charge) : usage.minus(charge));
    }
    IntMap<Usage> nextQos = qos;
    for (Qos one : qos(tree, charge)) {
      Usage usage = of(one, at, decay);
      nextQos = nextQos.with(one.id(), sign > 0 ? usage.plus(charge) : usage.minus(charge));
    }
    return new UsageBook(next, nextQos, charges, resetSince);
  }

  /** The QOS that a charge counts for. */
  public static List<Qos> qos(AccountingTree tree, Charge charge) {
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
  public UsageBook settled(AccountingTree tree, Instant at, Decay decay) {
    IntMap<Usage> next = IntMap.empty();
    for (int id : associations.keys()) {
      next = next.with(id, associations.require(id).at(at, decay));
    }
    IntMap<Usage> nextQos = IntMap.empty();
    for (int id : qos.keys()) {
      Qos one = tree.qosOf(id);
      Decay own = one == null ? decay : decay(one, decay);
      nextQos = nextQos.with(id, qos.require(id).at(at, own));
    }
    return new UsageBook(next, nextQos, charges, resetSince);
  }

  /** All usage is forgotten; what runs is counted from now on. */
  public UsageBook reset(Instant at) {
    return new UsageBook(cleared(associations, at), cleared(qos, at), charges, at);
  }

  private static IntMap<Usage> cleared(IntMap<Usage> all, Instant at) {
    IntMap<Usage> next = IntMap.empty();
    for (int id : all.keys()) {
      next = next.with(id, all.require(id).cleared(at));
    }
    return next;
  }

  /** The same, counting towards a reset since then, unless it does already. */
  public UsageBook counting(Instant since) {
    return resetSince == null ? new UsageBook(associations, qos, charges, since) : this;
  }

  /**
   * The book of the next tree: what is gone from the tree is gone from the book, and accounts hold
   * what the users below them have used.
   */
  public UsageBook moved(AccountingTree next, Instant at, Decay decay) {
    IntMap<Usage> kept = IntMap.empty();
    for (int id : associations.keys()) {
      Association association = next.associations().get(id);
      if (association == null || association.user() == null) {
        continue;
      }
      Usage usage = associations.require(id).at(at, decay);
      for (Association above = association; above != null; above = next.parent(above)) {
        Usage sum = kept.get(above.id());
        kept = kept.with(above.id(), sum == null ? usage : sum.plus(usage));
      }
    }
    IntMap<Usage> keptQos = IntMap.empty();
    for (int id : qos.keys()) {
      if (next.qosOf(id) != null) {
        keptQos = keptQos.with(id, qos.require(id));
      }
    }
    return new UsageBook(kept, keptQos, charges, resetSince);
  }

  /** With what an association and all below it have used forgotten. */
  public UsageBook cleared(AccountingTree tree, Association from, Instant at, Decay decay) {
    IntMap<Usage> next = associations;
    for (Association below : from.user() == null ? tree.walk(from.account()) : path(from)) {
      Usage usage = next.get(below.id());
      if (usage != null) {
        next = next.with(below.id(), usage.cleared(at));
      }
    }
    return new UsageBook(next, qos, charges, resetSince).moved(tree, at, decay);
  }

  private static List<Association> path(Association one) {
    return List.of(one);
  }

  /** With what the jobs of a QOS have used forgotten. */
  public UsageBook cleared(Qos one, Instant at) {
    Usage usage = qos.get(one.id());
    return usage == null
        ? this
        : new UsageBook(associations, qos.with(one.id(), usage.cleared(at)), charges, resetSince);
  }
}

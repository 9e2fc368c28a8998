package io.dure.model.accounting.usage;

import io.dure.model.accounting.Association;
import java.util.Arrays;

/** Fair share of every association at one time. Immutable; any thread. */
public final class FairShareTable {
  private final double[] factor;
  private final double[] normShares;
  private final double[] normUsage;
  private final double[] effectiveUsage;
  private final double[] level;

  /** All associations of a tree, nothing worked out yet. */
  FairShareTable(int associations) {
    factor = new double[associations];
    normShares = new double[associations];
    normUsage = new double[associations];
    effectiveUsage = new double[associations];
    level = new double[associations];
    Arrays.fill(level, Double.POSITIVE_INFINITY);
  }

  void put(Association of, double shares, double norm, double effective, double levelShare) {
    normShares[of.id()] = shares;
    normUsage[of.id()] = norm;
    effectiveUsage[of.id()] = effective;
    level[of.id()] = levelShare;
  }

  void factor(Association of, double value) {
    factor[of.id()] = value;
  }

  private static double at(double[] values, Association of) {
    return of.id() < values.length ? values[of.id()] : 0;
  }

  /** The factor in the priority of jobs, 0 to 1. */
  public double factor(Association of) {
    return at(factor, of);
  }

  /** Its part of the shares of its siblings, or of the whole in classic fair share; 0 to 1. */
  public double normShares(Association of) {
    return at(normShares, of);
  }

  /** Its part of all usage, 0 to 1. */
  public double normUsage(Association of) {
    return at(normUsage, of);
  }

  /** The usage that is held against it, 0 to 1. */
  public double effectiveUsage(Association of) {
    return at(effectiveUsage, of);
  }

  /** Shares over usage among its siblings; infinite where nothing was used. */
  public double level(Association of) {
    return at(level, of);
  }
}

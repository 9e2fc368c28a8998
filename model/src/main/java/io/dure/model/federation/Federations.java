package io.dure.model.federation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The federations that a set of books knows, and the clusters in them. The accounts of each cluster
 * have the same ones, so that it knows its siblings by itself. Immutable.
 *
 * @param names of the federations, sorted and each once
 * @param clusters of which something is recorded, by name
 */
public record Federations(List<String> names, List<FederatedCluster> clusters) {
  /** How many clusters a federation has at most: ids of jobs have six bits for them. */
  public static final int MOST_CLUSTERS = 63;

  /** None at all. */
  public static final Federations NONE = new Federations(List.of(), List.of());

  public Federations {
    names = names.stream().sorted().distinct().toList();
    clusters =
        clusters.stream()
            .filter(one -> !one.equals(FederatedCluster.plain(one.name())))
            .sorted(Comparator.comparing(FederatedCluster::name))
            .toList();
  }

  /** What is recorded of a cluster. */
  public FederatedCluster cluster(String name) {
    for (FederatedCluster one : clusters) {
      if (one.name().equals(name)) {
        return one;
      }
    }
    return FederatedCluster.plain(name);
  }

  /** The clusters of a federation, by name. */
  public List<FederatedCluster> of(String federation) {
    return clusters.stream()
        .filter(one -> one.membership() != null && one.federation().equals(federation))
        .toList();
  }

  /** These and further federations. */
  public Federations with(Collection<String> further) {
    List<String> all = new ArrayList<>(names);
    all.addAll(further);
    return new Federations(all, clusters);
  }

  /** These without a federation; the clusters in it are in none then. */
  public Federations without(String federation) {
    Federations left = this;
    for (FederatedCluster one : of(federation)) {
      left = left.leaving(one.name());
    }
    return new Federations(
        left.names.stream().filter(one -> !one.equals(federation)).toList(), left.clusters);
  }

  /** These with a cluster as it is to be. */
  public Federations with(FederatedCluster next) {
    List<FederatedCluster> all = new ArrayList<>(clusters);
    all.removeIf(one -> one.name().equals(next.name()));
    all.add(next);
    return new Federations(names, all);
  }

  /**
   * These with a cluster in a federation, active, with the lowest id that no other cluster has
   * there; one that is in it stays as it is.
   *
   * @return null if the federation is full
   */
  public @Nullable Federations joining(String cluster, String federation) {
    FederatedCluster before = cluster(cluster);
    if (before.membership() != null && before.federation().equals(federation)) {
      return this;
    }
    List<Integer> taken = of(federation).stream().map(FederatedCluster::id).toList();
    for (int id = 1; id <= MOST_CLUSTERS; id++) {
      if (!taken.contains(id)) {
        return with(before.at(new Membership(federation, id), FederationState.ACTIVE));
      }
    }
    return null;
  }

  /** These with a cluster in no federation; it keeps its features. */
  public Federations leaving(String cluster) {
    return with(cluster(cluster).at(null, FederationState.NONE));
  }

  /** These without all that is recorded of a cluster. */
  public Federations forgetting(String cluster) {
    return with(FederatedCluster.plain(cluster));
  }

  /** Why these cannot be, null if they can. */
  public @Nullable String problem() {
    TreeSet<String> seen = new TreeSet<>();
    TreeSet<String> places = new TreeSet<>();
    for (FederatedCluster one : clusters) {
      Membership place = one.membership();
      if (!seen.add(one.name())) {
        return "cluster " + one.name() + " is there twice";
      }
      if (place == null) {
        continue;
      }
      if (!names.contains(place.federation())) {
        return "there is no federation " + place.federation();
      }
      if (place.id() < 1 || place.id() > MOST_CLUSTERS) {
        return "the ids of clusters are 1 to " + MOST_CLUSTERS;
      }
      if (!places.add(place.federation() + " " + place.id())) {
        return "two clusters of " + place.federation() + " have id " + place.id();
      }
    }
    return null;
  }

  /** The clusters that are other than before, as they are now. */
  public List<FederatedCluster> changedSince(Federations before) {
    TreeSet<String> all = new TreeSet<>();
    before.clusters.forEach(one -> all.add(one.name()));
    clusters.forEach(one -> all.add(one.name()));
    return all.stream()
        .map(this::cluster)
        .filter(one -> !one.equals(before.cluster(one.name())))
        .toList();
  }
}

package io.dure.model.federation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a cluster for federations.
 *
 * @param name its name
 * @param features by which jobs may choose it, sorted and each once
 * @param state what it does there; it may be said before the cluster is in a federation
 * @param membership its place in a federation, null for a cluster in none
 */
public record FederatedCluster(
    String name, List<String> features, FederationState state, @Nullable Membership membership) {
  public FederatedCluster {
    features = features.stream().sorted().distinct().toList();
  }

  /** A cluster of which nothing is recorded. */
  public static FederatedCluster plain(String name) {
    return new FederatedCluster(name, List.of(), FederationState.NONE, null);
  }

  /** The federation that it is in, empty for none. */
  public String federation() {
    return membership == null ? "" : membership.federation();
  }

  /** Its number in the federation, 0 for a cluster in none. */
  public int id() {
    return membership == null ? 0 : membership.id();
  }

  /** The same with other features. */
  public FederatedCluster withFeatures(List<String> next) {
    return new FederatedCluster(name, next, state, membership);
  }

  /** The same in another state. */
  public FederatedCluster withState(FederationState next) {
    return new FederatedCluster(name, features, next, membership);
  }

  /** The same at another place, in that state. */
  public FederatedCluster at(@Nullable Membership next, FederationState there) {
    return new FederatedCluster(name, features, there, next);
  }
}

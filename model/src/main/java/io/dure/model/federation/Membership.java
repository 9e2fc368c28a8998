package io.dure.model.federation;

/**
 * A cluster's place in a federation.
 *
 * @param federation its name
 * @param id the number of the cluster there, from 1 to {@link Federations#MOST_CLUSTERS}; no other
 *     cluster of the federation has it
 */
public record Membership(String federation, int id) {}

/**
 * The log that several controllers keep together, and their group: a member's Raft node, and all
 * that touches MicroRaft, is in {@code raft}, the connections between members in {@code link}.
 */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica;

/**
 * One member's Raft node: MicroRaft with corrections, its messages between members, its clock, and
 * its store in the member's journal.
 */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica.raft;

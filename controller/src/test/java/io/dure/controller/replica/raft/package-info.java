/** Tests of what a member keeps of the Raft log. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica.raft;

/**
 * The log that several controllers keep together: what a majority has on its disks is kept for good
 * (docs/decisions/0016). MicroRaft's core stands behind it, and no other package sees it.
 */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica;

/** The log that several controllers keep together; MicroRaft's core stands behind it, unseen. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica;

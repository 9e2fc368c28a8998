/** Tests of the replica. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica;

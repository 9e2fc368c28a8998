/** Where a node is in its life. */
@org.jspecify.annotations.NullMarked
package io.dure.model.node;

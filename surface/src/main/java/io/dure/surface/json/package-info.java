/** Jobs, nodes, partitions and accounts as documents, in the shapes of surface.document. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.json;

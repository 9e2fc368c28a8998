/** What the cluster keeps of a node: where it is in its life, its condition and its hardware. */
@org.jspecify.annotations.NullMarked
package io.dure.model.node;

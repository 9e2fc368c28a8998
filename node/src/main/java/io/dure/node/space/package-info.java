/** Directories that each job has for itself on this node. */
@NullMarked
package io.dure.node.space;

import org.jspecify.annotations.NullMarked;

/**
 * Confines steps to their CPUs and memory by Linux control groups, version 1 or 2, and says what it
 * cannot confine.
 */
@NullMarked
package io.dure.node.cgroup;

import org.jspecify.annotations.NullMarked;

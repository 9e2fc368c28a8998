/** Which CPUs, memory and devices each task of a step may use. */
@org.jspecify.annotations.NullMarked
package io.dure.node.binding;

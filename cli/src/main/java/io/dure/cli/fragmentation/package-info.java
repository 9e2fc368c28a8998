/** Which free GPUs nobody can use, and why. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.fragmentation;

/** Which free GPUs no job can use, and why. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.fragmentation;

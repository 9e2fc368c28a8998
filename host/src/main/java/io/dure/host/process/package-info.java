/**
 * Processes and hardware of this machine: pid files, /proc, what a node consists of, signal names.
 */
@org.jspecify.annotations.NullMarked
package io.dure.host.process;

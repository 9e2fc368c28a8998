/** Tests of the program slurmd: its options, and the daemon as a process of its own. */
package io.dure.node;

/** The program slurmd: its options, its start and its end. */
@org.jspecify.annotations.NullMarked
package io.dure.node;

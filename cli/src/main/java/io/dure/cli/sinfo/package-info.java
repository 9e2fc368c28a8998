/** The listing of nodes and partitions. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sinfo;

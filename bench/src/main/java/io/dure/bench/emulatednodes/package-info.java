/** Node daemons that run nothing, for benches of a real controller with many nodes. */
@org.jspecify.annotations.NullMarked
package io.dure.bench.emulatednodes;

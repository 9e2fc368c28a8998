/** The daemons' log: lines with Slurm's levels, rotation on request, and no floods. */
@org.jspecify.annotations.NullMarked
package io.dure.host.log;

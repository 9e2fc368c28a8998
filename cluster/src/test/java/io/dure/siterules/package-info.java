/** What a site may set in slurm.conf or write down while running, as jobs and nodes meet it. */
@org.jspecify.annotations.NullMarked
package io.dure.siterules;

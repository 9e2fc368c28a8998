/** Which database server keeps the records of what ran: slurmdbd.conf beside slurm.conf. */
@NullMarked
package io.dure.model.config.accounting;

import org.jspecify.annotations.NullMarked;

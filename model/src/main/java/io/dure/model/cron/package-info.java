/** Crontabs of users: at which times an entry comes, and which jobs the entries are. */
@NullMarked
package io.dure.model.cron;

import org.jspecify.annotations.NullMarked;

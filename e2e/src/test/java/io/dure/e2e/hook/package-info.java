/** Scripts of a site that judge submissions, with real daemons and commands. */
@NullMarked
package io.dure.e2e.hook;

import org.jspecify.annotations.NullMarked;

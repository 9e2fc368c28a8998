/** The accounts of a twin: what a script or dump of sacctmgr says, or what a trace's jobs name. */
@NullMarked
package io.dure.twin.accounts;

import org.jspecify.annotations.NullMarked;

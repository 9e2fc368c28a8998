/** {@code sacctmgr}: accounts, users, associations and QOS are shown and changed. */
@NullMarked
package io.dure.cli.sacctmgr;

import org.jspecify.annotations.NullMarked;

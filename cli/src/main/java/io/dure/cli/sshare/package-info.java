/** {@code sshare}: who has what share of the cluster, and has used how much of it. */
@NullMarked
package io.dure.cli.sshare;

import org.jspecify.annotations.NullMarked;

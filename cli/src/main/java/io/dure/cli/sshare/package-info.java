/** {@code sshare}: the shares of accounts and users, and their usage. */
@NullMarked
package io.dure.cli.sshare;

import org.jspecify.annotations.NullMarked;

/** {@code dure-who}: who holds the cluster, by account and user against their shares. */
@NullMarked
package io.dure.cli.who;

import org.jspecify.annotations.NullMarked;

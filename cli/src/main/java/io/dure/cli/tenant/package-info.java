/** {@code dure-tenant}: an account as a tenant, all that is its own on a page. */
@NullMarked
package io.dure.cli.tenant;

import org.jspecify.annotations.NullMarked;

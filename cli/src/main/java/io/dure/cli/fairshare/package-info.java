/** {@code dure-fairshare}: how the fair share of a user or an account comes about. */
@NullMarked
package io.dure.cli.fairshare;

import org.jspecify.annotations.NullMarked;

/** Tokens of Slurm's {@code auth/jwt}: the keys, what is checked, and how tokens are made. */
@org.jspecify.annotations.NullMarked
package io.dure.host.trust.jwt;

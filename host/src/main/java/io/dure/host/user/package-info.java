/** Users and groups of this machine, as numbers and names, read from the C library. */
@org.jspecify.annotations.NullMarked
package io.dure.host.user;

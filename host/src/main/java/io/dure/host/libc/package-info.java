/** Functions of the C library. */
@org.jspecify.annotations.NullMarked
package io.dure.host.libc;

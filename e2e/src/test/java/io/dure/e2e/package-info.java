/** The programs of this checkout as people run them: real processes, users, crashes and garbage. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e;

/** Where the records of a cluster go, and are asked for: a database of its own or a daemon. */
@org.jspecify.annotations.NullMarked
package io.dure.accounting.store;

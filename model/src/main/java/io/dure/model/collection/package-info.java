/** Immutable collections whose old versions stay valid, so that queries never stop the loop. */
@org.jspecify.annotations.NullMarked
package io.dure.model.collection;

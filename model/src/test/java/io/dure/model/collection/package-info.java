/** Tests of the immutable collections. */
@org.jspecify.annotations.NullMarked
package io.dure.model.collection;

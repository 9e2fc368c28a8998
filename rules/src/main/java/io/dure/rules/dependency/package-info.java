/** When jobs wait for others. */
@org.jspecify.annotations.NullMarked
package io.dure.rules.dependency;

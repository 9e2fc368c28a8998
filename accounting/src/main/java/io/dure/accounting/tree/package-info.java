/** The accounts of the clusters that one daemon keeps the books of. */
@org.jspecify.annotations.NullMarked
package io.dure.accounting.tree;

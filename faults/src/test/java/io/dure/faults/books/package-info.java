/**
 * The accounting of a simulated cluster: its databases, what fills them, and what they must hold.
 */
@org.jspecify.annotations.NullMarked
package io.dure.faults.books;

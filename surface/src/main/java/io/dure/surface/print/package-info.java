/** Tables, times and sizes as the queue and node listings print them. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.print;

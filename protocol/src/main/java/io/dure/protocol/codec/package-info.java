/**
 * One way to write records as bytes and to read them back, in messages and in the journal alike.
 */
@org.jspecify.annotations.NullMarked
package io.dure.protocol.codec;

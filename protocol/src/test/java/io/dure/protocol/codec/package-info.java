/** Tests of the codec. */
@org.jspecify.annotations.NullMarked
package io.dure.protocol.codec;

/** Tests of what-ifs. */
@org.jspecify.annotations.NullMarked
package io.dure.whatif;

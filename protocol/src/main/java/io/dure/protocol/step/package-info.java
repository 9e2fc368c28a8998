/** What commands ask node daemons about steps, without the controller. */
@org.jspecify.annotations.NullMarked
package io.dure.protocol.step;

/** What is stored is read back as it was. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.stored;

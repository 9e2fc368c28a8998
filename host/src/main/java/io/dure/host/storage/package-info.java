/** Files that survive a crash: atomic replacement, directories with mode and owner, free space. */
@org.jspecify.annotations.NullMarked
package io.dure.host.storage;

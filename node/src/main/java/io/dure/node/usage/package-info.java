/** What the tasks of steps use: the kernel's account, read again and again while they run. */
@org.jspecify.annotations.NullMarked
package io.dure.node.usage;

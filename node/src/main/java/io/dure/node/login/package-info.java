/**
 * Logins that join a job of their user, and what moves its files: the processes of a job that no
 * shepherd started.
 */
@NullMarked
package io.dure.node.login;

import org.jspecify.annotations.NullMarked;

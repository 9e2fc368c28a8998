/** The controller program: its main, and the wiring of its parts. */
@org.jspecify.annotations.NullMarked
package io.dure.controller;

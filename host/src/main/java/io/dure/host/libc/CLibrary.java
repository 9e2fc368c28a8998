package io.dure.host.libc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Looks up functions of the C library. Any thread may call. */
public final class CLibrary {
  private CLibrary() {}

  /** The function of that name. */
  public static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** The function of that name, null in a C library that has none. */
  public static @Nullable MethodHandle functionIfThere(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(address -> linker.downcallHandle(address, descriptor))
        .orElse(null);
  }

  /** What to throw where a call threw, which the functions themselves never do. */
  public static RuntimeException unexpected(String function, Throwable thrown) {
    return switch (thrown) {
      case RuntimeException runtime -> runtime;
      case Error error -> throw error;
      default -> new IllegalStateException(function, thrown);
    };
  }
}
